package dev.reprise.cli;

import com.uber.m3.tally.NoopScope;
import com.uber.m3.tally.Scope;
import dev.reprise.activities.Activities;
import dev.reprise.activities.context.ActivityContext;
import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.workspace.LocalWorkspaces;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.GitRevision;
import dev.reprise.stack.source.LocalRevision;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.Policy;
import dev.reprise.watcher.SourceRevisions;
import dev.reprise.watcher.Watcher;
import dev.reprise.watcher.WatcherConfig;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * What the processes and commands work on: a cluster and a Temporal namespace.
 *
 * @param kubernetes the cluster
 * @param temporal the Temporal namespace
 * @param cluster the cluster's short name, part of the task queues' names
 * @param state where local workspaces are
 */
record Target(KubernetesClient kubernetes, TemporalConnection temporal, String cluster, Path state)
    implements AutoCloseable {
  private static final Duration GIT_LIMIT = Duration.ofSeconds(15);
  private static final Duration LOOK_AT_FOLDERS = Duration.ofSeconds(1);

  /**
   * The dev instance of the current folder, or else the current context of the kubeconfig and the
   * TEMPORAL_* settings.
   */
  static Target find(TargetOptions options) {
    return find(options, new NoopScope());
  }

  /**
   * The same.
   *
   * @param metrics where Temporal's SDK counts
   */
  static Target find(TargetOptions options, Scope metrics) {
    Optional<DevInstance> dev = DevInstance.running(options.state());
    Map<String, String> environment = System.getenv();
    if (dev.isEmpty()) {
      return of(currentContext(), TemporalConnection.to("", environment, metrics), options);
    }
    KubernetesClient client =
        dev.get().kubeconfig().isEmpty()
            ? currentContext()
            : fromFile(Path.of(dev.get().kubeconfig()));
    TemporalConnection temporal = TemporalConnection.to(dev.get().temporal(), environment, metrics);
    return new Target(client, temporal, dev.get().cluster(), options.state());
  }

  private static Target of(
      KubernetesClient client, TemporalConnection temporal, TargetOptions options) {
    String cluster = options.cluster().isEmpty() ? nameOf(client) : options.cluster();
    return new Target(client, temporal, cluster, options.state());
  }

  /** The current context, with few retries of its own: ours are durable. */
  static KubernetesClient currentContext() {
    return client(Config.autoConfigure(null));
  }

  private static KubernetesClient fromFile(Path kubeconfig) {
    return client(Config.fromKubeconfig(kubeconfig.toFile()));
  }

  private static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withRequestRetryBackoffLimit(1).build())
        .build();
  }

  /** 8 hex digits of the uid of namespace kube-system: the same for everybody who asks. */
  static String nameOf(KubernetesClient client) {
    try {
      var namespace = client.namespaces().withName("kube-system").get();
      if (namespace != null) {
        return namespace.getMetadata().getUid().replace("-", "").substring(0, 8);
      }
    } catch (RuntimeException e) {
      throw new UserProblem(
          "the cluster at %s does not answer (%s); check the kubeconfig, or start reprise dev in this folder"
              .formatted(client.getMasterUrl(), Causes.innermost(e)),
          e);
    }
    throw new UserProblem(
        "namespace kube-system cannot be read to name the cluster; give it a name with --cluster");
  }

  /**
   * A watcher that is not started; the defaults as for {@link #worker}.
   *
   * @param inputs whether to watch the Secrets and ConfigMaps that Stacks refer to
   */
  Watcher watcher(Policy defaults, boolean inputs) {
    // In a pod, a folder or a file: address would be the watcher's own, not that of a workspace.
    boolean ownDisk = !inPod(System.getenv());
    SourceRevisions sources =
        new SourceRevisions(
            new GitRevision(GIT_LIMIT, ownDisk),
            new LocalRevision(InstantSource.system()),
            this::gitCredentials,
            ownDisk ? LOOK_AT_FOLDERS : Duration.ZERO);
    return new Watcher(
        WatcherConfig.of(cluster).withDefaults(defaults).withInputs(inputs),
        kubernetes,
        temporal.client(),
        sources,
        InstantSource.system());
  }

  private GitCredentials gitCredentials(String namespace, Source.Git source)
      throws SourceUnavailable {
    try {
      return new InputsReader(StackObjects.limited(kubernetes))
          .gitCredentials(source.auth(), source.authSecret(), namespace);
    } catch (InputMissing e) {
      throw new SourceUnavailable("git repository", String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      throw new SourceUnavailable(
          "git repository", "its credentials cannot be read now (%d)".formatted(e.getCode()));
    }
  }

  /**
   * Registers the search attributes and makes a worker that is not started yet.
   *
   * @param sticky see {@link StackWorker}
   * @param defaults the policy of Stacks that ask for nothing of their own
   * @param context around every call of an activity
   */
  StackWorker worker(boolean sticky, Policy defaults, ActivityContext context) {
    return worker(sticky, defaults, workspaces(), true, context);
  }

  /**
   * The same with workspaces elsewhere.
   *
   * @param local whether they see this machine's disk
   */
  StackWorker worker(
      boolean sticky,
      Policy defaults,
      Workspaces workspaces,
      boolean local,
      ActivityContext context) {
    DigestKey digests = digests();
    return new StackWorker(
        temporal.client(),
        cluster,
        Activities.of(
            new Activities.Dependencies(
                kubernetes,
                cluster,
                defaults,
                temporal.registerSearchAttributes(),
                digests.id(),
                digests.key(),
                local,
                workspaces,
                InstantSource.system())),
        sticky,
        context);
  }

  /** In a pod it is shared by all workers of the installation. */
  DigestKey digests() {
    String namespace = System.getenv().getOrDefault("POD_NAMESPACE", "");
    return inPod(System.getenv()) && !namespace.isEmpty()
        ? DigestKey.in(kubernetes, namespace)
        : DigestKey.in(state);
  }

  /** Whether this process runs in a pod: Kubernetes tells every one where its API server is. */
  static boolean inPod(Map<String, String> environment) {
    return !environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty();
  }

  /** Those of this cluster only: a Stack of another one is not gone because this one lacks it. */
  Workspaces workspaces() {
    return new LocalWorkspaces(
        state.resolve("workspaces").resolve(cluster),
        new AgentCommandLine(System.getenv()),
        new ProgramFetcher(),
        InstantSource.system());
  }

  @Override
  public void close() {
    temporal.close();
    kubernetes.close();
  }
}
