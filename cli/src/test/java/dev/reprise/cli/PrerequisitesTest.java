package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stacks that build on each other, through watcher, workflow, activities and agent. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PrerequisitesTest {
  private static final Duration LONG = Duration.ofMinutes(2);

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

  @Test
  void aChainRunsInItsOrderAndAnOldSuccessIsAskedForAnewOnce() throws Exception {
    manifest("c", "prerequisites: [{name: b}]");
    manifest("b", "prerequisites: [{name: a}]");
    manifest("a", "");
    RepriseProcess dev = sandbox.start("dev", "manifests");
    dev.awaitLine("default/c  Ready");
    assertThat(ran()).containsExactly("a", "b", "c");

    try (Cluster cluster = Cluster.of(sandbox)) {
      String first = cluster.lastUpdate("a").name();
      Instant old = cluster.lastUpdate("a").lastResyncTime().plusSeconds(2);
      await().atMost(LONG).until(() -> Instant.now().isAfter(old));
      manifest("b", "prerequisites: [{name: a, requirement: {succeededWithinDuration: 1s}}]");

      await()
          .atMost(LONG)
          .until(() -> cluster.row("b").generation() == 2 && cluster.row("b").ready());
      assertThat(ran()).containsExactly("a", "b", "c", "a", "b");
      assertThat(cluster.lastUpdate("a").reconcileRequest()).isEqualTo("after-" + first);
      assertThat(cluster.reconcileReason("a"))
          .startsWith("default/b waits for it and needs a success younger");
    }
  }

  @Test
  void aCycleIsNamedAndOverWhenOneOfItsPrerequisitesIsRemoved() throws Exception {
    manifest("a", "prerequisites: [{name: b}]");
    manifest("b", "prerequisites: [{name: a}]");
    RepriseProcess dev = sandbox.start("dev", "manifests");
    dev.awaitLine(
        "default/a  Stalled", "prerequisites form a cycle: a -> b -> a; remove one of them");
    dev.awaitLine("default/b  Stalled", "b -> a -> b");

    manifest("b", "");

    dev.awaitLine("default/a  Ready");
    assertThat(ran()).containsExactly("b", "a");
  }

  private void manifest(String name, String more) throws IOException {
    Path order = folder.resolve("order.txt");
    sandbox.program("programs/" + name + "/up", "echo " + name + " >> " + order + "\n");
    sandbox.write(
        "manifests/" + name + ".yaml",
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {name: %s}
        spec:
          stack: dev
          workspaceTemplate: {spec: {local: {dir: ../programs/%s}}}
          %s
        """
            .formatted(name, name, more));
  }

  private List<String> ran() throws IOException {
    return Files.readAllLines(folder.resolve("order.txt"));
  }
}
