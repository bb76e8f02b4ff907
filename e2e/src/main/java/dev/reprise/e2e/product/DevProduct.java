package dev.reprise.e2e.product;

import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.Daemon;
import dev.reprise.e2e.engine.TextFiles;
import dev.reprise.e2e.world.Cli;
import dev.reprise.e2e.world.ProgramJournal;
import dev.reprise.e2e.world.Stacks;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** {@code reprise dev} as a process, with a folder of manifests, on a Temporal of ours. */
public final class DevProduct implements Product {
  private static final Duration READY = Duration.ofMinutes(2);
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private final Path folder;
  private final Daemon process;
  private final KubernetesClient client;
  private final Stacks stacks;

  /**
   * Starts it and waits until its cluster answers.
   *
   * @param folder for its state and the manifests
   * @param temporal {@code host:port}
   */
  public DevProduct(Path folder, String temporal) {
    this.folder = folder;
    this.process = Daemon.of(recipe(folder, temporal));
    Path kubeconfig = folder.resolve(".reprise").resolve("kubeconfig");
    await("reprise dev to be up, see " + folder)
        .atMost(READY)
        .failFast("reprise dev has ended, see its log", () -> !process.alive())
        .until(() -> process.log().contains("Temporal ") && Files.exists(kubeconfig));
    this.client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build();
    this.stacks = new Stacks(client, "default");
  }

  private static Daemon.Recipe recipe(Path folder, String temporal) {
    TextFiles.write(folder.resolve("manifests/.keep"), "");
    return new Daemon.Recipe(
        "reprise-dev",
        folder,
        Map.of("TEMPORAL_ADDRESS", temporal),
        Cli.command(REPOSITORY, "dev", "manifests"));
  }

  @Override
  public Applied apply(String name, String body, int firstCooldownSeconds) {
    ProgramJournal journal = new ProgramJournal(folder.resolve("journals").resolve(name));
    String program =
        ProgramJournal.program(body)
            .replace(ProgramJournal.MOUNT + "/", journal.folder().toAbsolutePath() + "/");
    Path manifests = folder.resolve("manifests");
    TextFiles.write(manifests.resolve(name).resolve("up"), program);
    TextFiles.write(manifests.resolve(name).resolve("destroy"), program);
    TextFiles.write(
        manifests.resolve(name + ".yaml"),
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {name: %s}
        spec:
          stack: dev
          destroyOnFinalize: true
          retry: {initialBackoffSeconds: %d}
          workspaceTemplate: {spec: {local: {dir: %s}}}
        """
            .formatted(name, firstCooldownSeconds, name));
    return new Applied(stacks.named(name), journal);
  }

  @Override
  public void close() {
    client.close();
    process.close();
  }
}
