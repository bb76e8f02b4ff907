package dev.reprise.cli;

import dev.reprise.activities.context.ActivityContext;
import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.dev.temporal.EmbeddedTemporal;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.client.WorkflowClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A cluster and a Temporal service in this process, as a dev instance that the commands find. */
final class Workbench implements AutoCloseable {
  private static final String CLUSTER = "test";

  /** What a command printed, errors included, and its exit code. */
  record Ended(int code, String output) {}

  private final Path folder;
  private final EmbeddedKubernetes cluster = EmbeddedKubernetes.start();
  private final EmbeddedTemporal temporal = EmbeddedTemporal.start();
  private final TemporalConnection connection = TemporalConnection.to(temporal.target(), Map.of());
  final KubernetesClient kubernetes = cluster.client();

  Workbench(Path folder) throws IOException {
    this.folder = folder;
    kubernetes.resource(Crds.stack()).create();
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
    DevInstance.here(kubeconfig.toString(), temporal.target(), CLUSTER).write(folder);
  }

  WorkflowClient client() {
    return connection.client();
  }

  /** Creates a Stack and starts its run, as the watcher does. */
  StackRef stack(String name) {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion("pulumi.com/v1");
    stack.setKind("Stack");
    stack.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .withFinalizers(List.of(StackIdentity.FINALIZER))
            .build());
    // No cooldown of a test ends by itself, however slow the machine is.
    stack.setAdditionalProperty(
        "spec", Map.of("stack", "dev", "retry", Map.of("initialBackoffSeconds", 36_000)));
    String uid = kubernetes.resource(stack).create().getMetadata().getUid();
    StackRef ref = new StackRef("default", name, uid);
    starter().wake(ref, "not taken up yet");
    return ref;
  }

  void annotate(StackRef stack, String name, String value) {
    kubernetes
        .genericKubernetesResources(StackList.TYPE)
        .inNamespace(stack.namespace())
        .withName(stack.name())
        .edit(
            resource -> {
              resource.getMetadata().getAnnotations().put(name, value);
              return resource;
            });
    starter().wake(stack, "annotated");
  }

  WorkflowStarter starter() {
    return new WorkflowStarter(client(), CLUSTER, Duration.ofSeconds(30));
  }

  /** A worker that is started and runs the product's workflows. */
  StackWorker worker(FakeOperations operations) {
    StackWorker worker =
        new StackWorker(
            client(), CLUSTER, operations.with(kubernetes, folder), false, new ActivityContext());
    worker.start();
    return worker;
  }

  StackStatus status(StackRef stack) {
    return new StackList(kubernetes)
        .find(stack.namespace(), stack.name())
        .map(StackReader::status)
        .orElseThrow();
  }

  /** Runs a command in this process. */
  Ended run(String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream captured = new PrintStream(output, true, StandardCharsets.UTF_8);
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setOut(captured);
    System.setErr(captured);
    try {
      String[] all = new String[arguments.length + 2];
      System.arraycopy(arguments, 0, all, 0, arguments.length);
      all[arguments.length] = "--state";
      all[arguments.length + 1] = folder.toString();
      int code = Main.run(all);
      return new Ended(
          code,
          output
              .toString(StandardCharsets.UTF_8)
              .lines()
              .filter(Workbench::ofTheCommand)
              .collect(Collectors.joining("\n")));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Threads of a worker in the same process log to the same place. */
  private static boolean ofTheCommand(String line) {
    return line.startsWith("reprise: ")
        || line.startsWith("default/")
        || line.startsWith("  it ")
        || line.startsWith("  up ");
  }

  @Override
  public void close() {
    connection.close();
    kubernetes.close();
    temporal.close();
    cluster.close();
  }
}
