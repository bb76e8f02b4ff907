package dev.reprise.e2e.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engines")
class HostNetworkTest {

  @Test
  void whatIsLeftInANetworkEndsWithIt() throws Exception {
    CompletableFuture<Process> end;
    try (HostNetwork network = HostNetwork.open()) {
      String namespace = network.name() + "-left";
      HostNetwork.ip("netns", "add", namespace);
      Process left = new ProcessBuilder("ip", "netns", "exec", namespace, "sleep", "1000").start();
      end = left.onExit();
      await("it to run there")
          .until(
              () ->
                  Commands.run(List.of("ip", "netns", "pids", namespace))
                      .contains(Long.toString(left.pid())));
    }

    assertThat(end.get(10, TimeUnit.SECONDS).exitValue()).isEqualTo(137);
    assertThat(Commands.run(List.of("ip", "netns", "list"))).doesNotContain("-left");
  }
}
