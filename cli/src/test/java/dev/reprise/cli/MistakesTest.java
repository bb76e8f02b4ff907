package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person can get wrong on the command line: the exit code, and one line. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MistakesTest {
  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));

  @BeforeEach
  void open() {
    sandbox = new Sandbox(folder);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @ParameterizedTest
  @CsvSource({
    "dev --bogus, Unknown option: '--bogus'",
    "dev --until soon, Invalid value for option '--until'",
    "dev --timeout soon, Invalid value for option '--timeout': 'soon' is no duration; write for example 90s or 5m",
    "deploy, Unmatched argument at index 0: 'deploy'",
    "retry, Missing required parameter: 'NAME'",
    "hold, Missing required parameter: 'NAME'",
    "repair, Missing required parameter: 'NAME'"
  })
  void wrongUsageIsExplainedByTheFirstLine(String arguments, String line) throws Exception {
    RepriseProcess command = sandbox.start(arguments.split(" ", -1));

    assertThat(command.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(command.output()).startsWith(line);
  }

  @Test
  void aMissingFolderIsNamed() throws Exception {
    assertOneLine(
        sandbox.start("dev", "nowhere"),
        "nowhere does not exist; name a folder with Stack manifests: reprise dev DIR");
  }

  @Test
  void withoutAClusterThereIsNothingToGet() throws Exception {
    sandbox.write(
        "kubeconfig",
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
        users: [{name: u, user: {}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """);

    assertOneLine(
        sandbox.with("KUBECONFIG", folder.resolve("kubeconfig").toString()).start("get"),
        "the cluster at http://127.0.0.1:1/ does not answer (Connection refused); check the"
            + " kubeconfig, or start reprise dev in this folder");
  }

  @ParameterizedTest
  @CsvSource({
    "--kube-port, the embedded Kubernetes API",
    "--temporal-port, the embedded Temporal service"
  })
  void aPortInUseIsNamed(String option, String service) throws Exception {
    sandbox.quickstart();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      assertOneLine(
          sandbox.start("dev", option, port, "quickstart"),
          service
              + " cannot listen on 127.0.0.1:"
              + port
              + ": the port is in use; end the program that uses it or choose another port");
    }
  }

  private static void assertOneLine(RepriseProcess command, String line) throws Exception {
    assertThat(command.awaitExit()).as(command.output()).isEqualTo(ExitCode.FAILED);
    assertThat(command.output()).isEqualTo("reprise: " + line + System.lineSeparator());
  }
}
