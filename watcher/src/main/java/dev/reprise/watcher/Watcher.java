package dev.reprise.watcher;

import dev.reprise.stack.StackReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Stacks of a cluster and wakes the workflow of each that wants something. Several may
 * run at once: a wish is then delivered more than once, which does no harm.
 */
public final class Watcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Watcher.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration AFTER_BUG = Duration.ofSeconds(5);

  private final WatcherConfig config;
  private final Pause pause;
  private final DesireQueue queue;
  private final SourcePoller poller;
  private final Intake intake;
  private final Deliverer deliverer;
  private final KubernetesClient metadata;
  private final ReferenceWatches referenceWatches;
  private final References references;
  private final ObjectWatch watch;
  private final Resync resync;
  private final Set<String> ended = new ConcurrentSkipListSet<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("reprise-watcher-", 0).factory());

  /**
   * Makes a watcher that is not started. Neither client is closed with it.
   *
   * @param kubernetes the cluster of the Stacks
   * @param temporal the Temporal namespace of their workflows
   * @param sources how to learn what a source points at
   * @param clock tells when a run is overdue
   */
  public Watcher(
      WatcherConfig config,
      KubernetesClient kubernetes,
      WorkflowClient temporal,
      SourceRevisions sources,
      InstantSource clock) {
    this(
        config,
        kubernetes,
        new WorkflowStarter(temporal, config.cluster(), config.callLimit()),
        sources,
        clock,
        Pause.REAL);
  }

  Watcher(
      WatcherConfig config,
      KubernetesClient kubernetes,
      RunStarter starter,
      SourceQueries sources,
      InstantSource clock,
      Pause pause) {
    this.config = config;
    this.pause = pause;
    Deliveries deliveries = new Deliveries(clock);
    ObjectApi api = new ObjectApi(kubernetes, ObjectApi.STACKS, config.namespace());
    queue = new DesireQueue(clock);
    Outbox outbox = new Outbox(queue, deliveries);
    poller = new SourcePoller(sources, outbox, threads, clock);
    metadata = MetadataOnly.like(kubernetes);
    referenceWatches =
        new ReferenceWatches(
            kubernetes,
            metadata,
            config.namespace(),
            pause,
            (kind, references) -> keep(kind, references::run));
    references = new References(outbox, this::want, config.inputs());
    intake =
        new Intake(
            outbox, poller, references, new PolicyGate(new StackReader(config.defaults())), clock);
    deliverer = new Deliverer(queue, deliveries, starter, pause);
    watch = new ObjectWatch(api, intake, LONGEST_PAUSE, pause);
    resync = new Resync(api, watch, intake, clock, pause);
  }

  /** Starts; returns at once, also while the API server or Temporal is away. */
  public void start() {
    keep("delivery", deliverer::run);
    keep("watch", watch::run);
    keep("sources", () -> poller.run(pause));
    keep("references", referenceWatches::relist);
    keep("list", () -> resync.run(config.resyncInterval()));
  }

  /** Delivers nothing until {@link #resume}; goes on watching. Also before the start. */
  public void suspend() {
    deliverer.suspend(true);
  }

  /** Delivers again, with what has come to be wanted meanwhile. */
  public void resume() {
    deliverer.suspend(false);
  }

  private void want(ReferencedKind kind) {
    referenceWatches.want(kind, references);
  }

  /** Whether every change of a Stack is seen as it happens, as far as is known. */
  public boolean healthy() {
    return watch.watching() && !resync.quiet();
  }

  /** What the Stacks show that are known now. */
  public List<StackSight> stacks() {
    return intake.sights();
  }

  /** The names of those of its loops that have ended although nobody has closed it. */
  public List<String> endedLoops() {
    return List.copyOf(ended);
  }

  /** Numbers for metrics. */
  public WatcherStats stats() {
    return new WatcherStats(
        intake.size(),
        referenceWatches.programs(),
        queue.size(),
        deliverer.delivered(),
        deliverer.refused(),
        deliverer.unreachable(),
        intake.unreadable(),
        watch.starts(),
        resync.quiet(),
        resync.lastList(),
        resync.failures(),
        poller.asked(),
        poller.failures());
  }

  /** Ends all that was started, a call under way included; waits at most 10 seconds. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        log.warn("The watcher did not end within 10 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      metadata.close();
    }
  }

  /** Runs a task until the watcher is closed; a bug in one round ends that round only. */
  private void keep(String name, Task task) {
    threads.execute(
        () -> {
          try {
            while (true) {
              runOnce(name, task);
              Thread.sleep(AFTER_BUG);
            }
          } catch (InterruptedException e) {
            log.debug("{} ended", name);
          } finally {
            // An error such as lack of memory ends the loop for good; only a restart brings it
            // back.
            if (!threads.isShutdown()) {
              ended.add(name);
            }
          }
        });
  }

  private static void runOnce(String name, Task task) throws InterruptedException {
    try {
      task.run();
    } catch (RuntimeException e) {
      log.error("{} failed and goes on in {} s", name, AFTER_BUG.toSeconds(), e);
    }
  }

  @FunctionalInterface
  private interface Task {
    void run() throws InterruptedException;
  }
}
