package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledClusterTest {
  private static final int ANSWERED = 200;

  /** Creates Widgets until it is killed, and tells of each that was answered. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] args) {
      try (KubeFixture kube =
          new KubeFixture(EmbeddedKubernetes.Options.defaults().keptIn(Path.of(args[0])))) {
        for (int i = 0; i < 20 * ANSWERED; i++) {
          var created = kube.create("w" + i);
          System.out.println(
              "answered " + created.getMetadata().getName() + " " + created.getMetadata().getUid());
        }
      }
    }
  }

  @Test
  void whatAKilledProcessHasAnsweredIsThereAgain(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("cluster.jsonl");
    Map<String, String> answered = new HashMap<>();
    Process victim = start(file, dir.resolve("errors"));
    try (BufferedReader lines = victim.inputReader()) {
      String line = lines.readLine();
      while (line != null && answered.size() < ANSWERED) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("answered")) {
          answered.put(words[1], words[2]);
        }
        line = lines.readLine();
      }
    } finally {
      victim.destroyForcibly();
    }
    assertThat(victim.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(victim.exitValue()).isEqualTo(128 + 9);

    assertThat(answered).hasSize(ANSWERED);
    try (KubeFixture kube = new KubeFixture(EmbeddedKubernetes.Options.defaults().keptIn(file))) {
      Map<String, String> kept = new HashMap<>();
      kube.widgets()
          .inAnyNamespace()
          .list()
          .getItems()
          .forEach(
              widget -> kept.put(widget.getMetadata().getName(), widget.getMetadata().getUid()));
      assertThat(kept).containsAllEntriesOf(answered);
    }
  }

  private static Process start(Path file, Path errors) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            file.toString())
        .redirectError(errors.toFile())
        .start();
  }
}
