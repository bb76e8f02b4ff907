package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the manifests of a folder, or of one file, applied to a cluster. Only the top level of a
 * folder is read: YAML and JSON files that are neither hidden nor Pulumi's own.
 */
public final class ManifestFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestFolder.class);

  /** Also catches what the file system does not tell, such as edits on a network share. */
  private static final Duration READ_AGAIN = Duration.ofSeconds(5);

  /** Editors save in several steps (write, rename, touch); these count as one. */
  private static final Duration SETTLE = Duration.ofMillis(50);

  private static final Duration END = Duration.ofSeconds(10);

  private record Known(Manifest manifest, String content) {}

  private final Path folder;
  private final ManifestReader reader;
  private final ManifestApplier applier;
  private final EarlierSessions earlier;
  private final ManifestListener listener;
  private final boolean ours;
  private final Map<String, Known> applied = new LinkedHashMap<>();
  private Set<ManifestProblem> told = Set.of();
  private @Nullable Thread follower;

  /**
   * @param path an existing folder or file
   * @param client for the cluster; the caller closes it
   * @param listener hears what happens
   * @param ours whether the cluster is this machine's alone, so that what an earlier session
   *     applied from the same path and is gone may be deleted; on a shared cluster another
   *     machine's folder may have the same path
   * @throws IllegalArgumentException when there is nothing at the path
   */
  public ManifestFolder(
      Path path, KubernetesClient client, ManifestListener listener, boolean ours) {
    Path absolute = path.toAbsolutePath().normalize();
    if (!Files.exists(absolute)) {
      throw new IllegalArgumentException(
          path + " does not exist; name a folder with manifests or one manifest file");
    }
    Path parent = absolute.getParent();
    this.folder = Files.isDirectory(absolute) || parent == null ? absolute : parent;
    this.reader = new ManifestReader(absolute);
    this.applier = new ManifestApplier(client);
    this.earlier = new EarlierSessions(absolute, applier);
    this.listener = listener;
    this.ours = ours;
  }

  /**
   * Reads the files once, applies what is new or changed and deletes what was applied before, also
   * by earlier sessions, and is gone. Objects of a file that cannot be read as a whole are not
   * deleted.
   *
   * @return how many objects of the folder are in the cluster
   */
  public synchronized int sync() {
    ManifestReader.Reading reading = reader.read();
    Set<ManifestProblem> problems = new HashSet<>();
    reading.problems().forEach(problem -> tell(problem, problems));
    if (ours) {
      earlier
          .find(reading.manifests(), problem -> tell(problem, problems))
          .forEach(manifest -> applied.putIfAbsent(manifest.key(), new Known(manifest, "")));
    }
    Set<String> present = new HashSet<>();
    List<Manifest> manifests = new ArrayList<>(reading.manifests());
    manifests.sort(Comparator.comparingInt(ManifestFolder::rank));
    for (Manifest manifest : manifests) {
      present.add(manifest.key());
      apply(manifest, problems);
    }
    for (Known known : List.copyOf(applied.values())) {
      boolean gone = !present.contains(known.manifest().key());
      boolean certain = reading.uncertain().stream().noneMatch(known.manifest().file()::startsWith);
      if (gone && certain) {
        delete(known.manifest(), problems);
      }
    }
    told = Set.copyOf(problems);
    return applied.size();
  }

  /** Namespaces and definitions go before what lives in them. */
  private static int rank(Manifest manifest) {
    return switch (manifest.object().getKind()) {
      case "Namespace" -> 0;
      case "CustomResourceDefinition" -> 1;
      default -> 2;
    };
  }

  private void apply(Manifest manifest, Set<ManifestProblem> problems) {
    String content = Serialization.asJson(manifest.object());
    Known known = applied.get(manifest.key());
    if (known != null && known.content().equals(content)) {
      applied.put(manifest.key(), new Known(manifest, content));
      keepTold(manifest, problems);
      return;
    }
    try {
      applier.apply(manifest, problem -> tell(problem, problems));
      applied.put(manifest.key(), new Known(manifest, content));
      listener.applied(manifest);
    } catch (KubernetesClientException e) {
      tell(ManifestProblem.error(manifest, "not applied: " + reason(e)), problems);
    }
  }

  private void delete(Manifest manifest, Set<ManifestProblem> problems) {
    try {
      applier.delete(manifest);
      applied.remove(manifest.key());
      listener.removed(manifest);
    } catch (KubernetesClientException e) {
      tell(ManifestProblem.error(manifest, "not deleted: " + reason(e)), problems);
    }
  }

  static String reason(KubernetesClientException e) {
    return e.getStatus() == null || e.getStatus().getMessage() == null
        ? String.valueOf(e.getMessage())
        : e.getStatus().getMessage();
  }

  /** Warnings about an object that has not changed still stand. */
  private void keepTold(Manifest manifest, Set<ManifestProblem> problems) {
    told.stream()
        .filter(problem -> problem.file().equals(manifest.file()))
        .filter(problem -> problem.severity() == ManifestProblem.Severity.WARNING)
        .forEach(problems::add);
  }

  private void tell(ManifestProblem problem, Set<ManifestProblem> problems) {
    if (problems.add(problem) && !told.contains(problem)) {
      listener.problem(problem);
    }
  }

  /** Follows the files from now on, in a thread of its own, until {@link #close}. */
  public synchronized void follow() {
    if (follower != null) {
      throw new IllegalStateException("already following " + folder);
    }
    WatchService changes;
    try {
      changes = FileSystems.getDefault().newWatchService();
      folder.register(
          changes,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot follow " + folder, e);
    }
    follower = Thread.ofPlatform().name("manifests").daemon().start(() -> run(changes));
  }

  private void run(WatchService changes) {
    try (changes) {
      while (!Thread.currentThread().isInterrupted()) {
        WatchKey key = changes.poll(READ_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        while (key != null) {
          key.pollEvents();
          key.reset();
          key = changes.poll(SETTLE.toMillis(), TimeUnit.MILLISECONDS);
        }
        syncOrLog();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the watch on {} was not closed", folder, e);
    }
  }

  private void syncOrLog() {
    try {
      sync();
    } catch (RuntimeException e) {
      LOG.warn("the manifests in {} could not be brought in; trying again", folder, e);
    }
  }

  /** Ends following. What was applied stays in the cluster. */
  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      thread = follower;
      follower = null;
    }
    if (thread == null) {
      return;
    }
    thread.interrupt();
    try {
      if (!thread.join(END)) {
        LOG.warn("still busy with the manifests in {}", folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
