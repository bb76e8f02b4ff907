package dev.reprise.cli;

import dev.reprise.activities.workspace.AgentLauncher;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.dev.temporal.EmbeddedTemporal;
import dev.reprise.dev.temporal.TemporalService;
import dev.reprise.dev.temporal.TemporalServices;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.spec.Policy;
import dev.reprise.watcher.Watcher;
import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.RunSearchAttributes;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engines, the watcher and the worker of one {@code reprise dev}, ended in reverse order. */
final class DevSession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DevSession.class);

  private static final Duration TEMPORAL_LIMIT = Duration.ofSeconds(30);
  private static final Duration SERVED_LIMIT = Duration.ofSeconds(30);

  /** What may run as a process of its own. */
  enum Part {
    WORKER,
    WATCHER
  }

  /**
   * What to start.
   *
   * @param state the state folder, held by this process
   * @param kube use the current context instead of an embedded cluster
   * @param kubePort for the embedded Kubernetes API; 0 = any
   * @param temporalPort for the Temporal service; 0 = any
   * @param without parts to leave out
   * @param defaults the policy of Stacks that ask for nothing of their own
   */
  record Options(
      Path state,
      boolean kube,
      int kubePort,
      int temporalPort,
      List<Part> without,
      Policy defaults) {}

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final List<String> description = new ArrayList<>();
  private final Options options;
  private final Ops ops;
  private final Target target;

  private DevSession(Options options, Ops ops) throws IOException, InterruptedException {
    this.options = options;
    this.ops = ops;
    try {
      TemporalService temporal = part(temporal(options));
      Path kubeconfig = options.state().resolve("kubeconfig").toAbsolutePath();
      KubernetesClient client = options.kube() ? Target.currentContext() : embedded(kubeconfig);
      target =
          part(
              new Target(
                  client,
                  TemporalConnection.to(temporal.target(), System.getenv(), ops.metrics().scope()),
                  Target.nameOf(client),
                  options.state()));
      describe(temporal);
      target.temporal().awaitServing(TEMPORAL_LIMIT);
      install(Crds.stack());
      install(Crds.program());
      startParts();
      if (temporal instanceof EmbeddedTemporal) {
        startRuns();
      }
      DevInstance.here(
              options.kube() ? "" : kubeconfig.toString(), temporal.target(), target.cluster())
          .write(options.state());
      part(() -> DevInstance.forget(options.state()));
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts everything; what was started is ended when something cannot be.
   *
   * @param ops what the parts are watched by
   * @throws dev.reprise.dev.PortInUseException when a given port is taken
   */
  static DevSession start(Options options, Ops ops) throws IOException, InterruptedException {
    return new DevSession(options, ops);
  }

  Target target() {
    return target;
  }

  /** Lines that tell where things are. */
  List<String> describe() {
    return List.copyOf(description);
  }

  private static TemporalService temporal(Options options) {
    Map<String, String> attributes = new TreeMap<>();
    RunSearchAttributes.ALL.forEach(
        key -> attributes.put(key.getName(), SearchAttributeTypes.word(key)));
    try {
      return TemporalServices.choose(
          System.getenv(),
          new TemporalServices.Options(
              options.temporalPort(), 0, options.state(), attributes, false));
    } catch (IllegalStateException e) {
      throw new UserProblem(String.valueOf(e.getMessage()), e);
    }
  }

  private KubernetesClient embedded(Path kubeconfig) throws IOException {
    EmbeddedKubernetes cluster =
        part(
            EmbeddedKubernetes.start(
                EmbeddedKubernetes.Options.defaults()
                    .onPort(options.kubePort())
                    .keptIn(options.state().resolve("cluster.jsonl"))));
    DevInstance.writePrivate(kubeconfig, cluster.kubeconfig().getBytes(StandardCharsets.UTF_8));
    description.add("Kubernetes  embedded; export KUBECONFIG=" + kubeconfig);
    return cluster.client();
  }

  private void describe(TemporalService temporal) {
    description.add("Temporal    " + temporal.target());
    temporal.webUi().ifPresent(uri -> description.add("Web UI      " + uri));
    description.add("Log         " + options.state().resolve("reprise.log"));
  }

  private void install(CustomResourceDefinition definition) {
    var definitions = target.kubernetes().apiextensions().v1().customResourceDefinitions();
    if (!options.kube()) {
      // A kept cluster may have been made by an older version.
      definitions
          .resource(definition)
          .fieldManager("reprise-dev")
          .forceConflicts()
          .serverSideApply();
    } else if (definitions.withName(definition.getMetadata().getName()).get() == null) {
      definitions.resource(definition).create();
      // A real API server serves a new kind some moments after it has taken its definition.
      definitions
          .withName(definition.getMetadata().getName())
          .waitUntilCondition(DevSession::served, SERVED_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static boolean served(@Nullable CustomResourceDefinition definition) {
    return definition != null
        && definition.getStatus() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }

  private void startParts() {
    ops.add(target.temporal());
    part(this::endAgents);
    if (!options.without().contains(Part.WORKER)) {
      part(new Sweeper(target.kubernetes(), target.workspaces(), () -> true));
      StackWorker worker = part(target.worker(true, options.defaults(), ops.activities()));
      worker.start();
      ops.add(worker);
    }
    if (!options.without().contains(Part.WATCHER)) {
      Watcher watcher = part(target.watcher(options.defaults(), true));
      watcher.start();
      ops.add(watcher);
    }
  }

  /** The embedded service begins empty: the runs of Stacks kept from before have to be started. */
  private void startRuns() {
    WorkflowStarter starter =
        new WorkflowStarter(target.temporal().client(), target.cluster(), TEMPORAL_LIMIT);
    for (StackRef stack : new StackList(target.kubernetes()).refs()) {
      starter.wake(stack, "reprise dev was started again");
    }
  }

  /** All at once, since each may have to finish what it runs. */
  private void endAgents() throws InterruptedException, ExecutionException {
    Workspaces workspaces = target.workspaces();
    List<StackRef> stacks = new StackList(target.kubernetes()).refs();
    List<StackRef> busy = stacks.stream().filter(workspaces::running).toList();
    if (!busy.isEmpty()) {
      UntilEnded.allow(AgentLauncher.CANCEL_GRACE);
      System.err.printf(
          "reprise: waiting up to %d min for the cancelled operations to end: %s (to end at once:"
              + " kill -9 %d)%n",
          AgentLauncher.CANCEL_GRACE.toMinutes(), busy, ProcessHandle.current().pid());
    }
    try (ExecutorService ending = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Object>> stops =
          stacks.stream().map(stack -> Executors.callable(() -> workspaces.stop(stack))).toList();
      for (Future<Object> stop : ending.invokeAll(stops)) {
        stop.get();
      }
    }
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.push(part);
    return part;
  }

  /** Ends all parts, each also when another could not be ended. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        log.warn("a part of the session did not end in order", e);
      }
    }
  }
}
