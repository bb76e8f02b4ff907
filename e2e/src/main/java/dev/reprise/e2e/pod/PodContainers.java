package dev.reprise.e2e.pod;

import dev.reprise.e2e.pod.ContainerProcess.Launch;
import dev.reprise.e2e.pod.PodNetworks.PodNetwork;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts the containers of one pod with what they ask for. */
final class PodContainers implements ContainerLife.Starter {
  private static final Path NO_GROUP = Path.of("/dev/null");

  private final Pod pod;
  private final PodLife.Node node;
  private final Path folder;
  private final Supplier<PodNetwork> network;
  private final Map<String, Path> groups = new ConcurrentHashMap<>();
  private @Nullable Volumes volumes;

  /**
   * For a pod.
   *
   * @param folder the pod's own, made when it is needed
   * @param network the pod's, once it has one
   */
  PodContainers(Pod pod, PodLife.Node node, Path folder, Supplier<PodNetwork> network) {
    this.pod = pod;
    this.node = node;
    this.folder = folder;
    this.network = network;
  }

  /** Where the output of a container is kept, also after its pod's end. */
  static Path log(Path folder, String namespace, String pod, String container) {
    return folder.resolve("logs").resolve(namespace + "_" + pod + "_" + container + ".log");
  }

  @Override
  public String podIp() {
    return network.get().address();
  }

  private PodFields fields() {
    return new PodFields(pod, podIp(), node.hostIp());
  }

  /** Makes the volumes that are not made yet. */
  synchronized void makeVolumes() {
    if (volumes == null) {
      volumes = new Volumes(node.api(), fields(), folder.resolve("volumes"));
    }
    volumes.make();
  }

  private synchronized Volumes volumes() {
    if (volumes == null) {
      throw new IllegalStateException("the volumes of the pod are not made");
    }
    return volumes;
  }

  @Override
  public ContainerProcess start(Container container) {
    Image image =
        node.images()
            .pull(container.getImage())
            .orElseThrow(
                () ->
                    new ContainerLife.NoImage(
                        "failed to pull image \"" + container.getImage() + "\": not found"));
    Privileges privileges = Privileges.of(pod.getSpec(), container, image);
    Map<String, String> variables = node.environment().of(fields(), container, image);
    List<RootFs.Bind> layers =
        image.layers().stream()
            .map(layer -> new RootFs.Bind(layer.source(), layer.target(), true))
            .toList();
    String workingDir = Optional.ofNullable(container.getWorkingDir()).orElse("/");
    Path place = folder.resolve("containers").resolve(container.getName());
    RootFs rootFs =
        new RootFs(
            place,
            Environment.hostname(fields()),
            node.hostIp(),
            pod.getMetadata().getNamespace(),
            podIp());
    String script =
        rootFs.script(
            layers,
            volumes().binds(container, variables),
            variables.getOrDefault("HOME", "/"),
            workingDir,
            privileges);
    return ContainerProcess.start(
        new Launch(
            network.get().namespace(),
            written(place, script),
            group(container),
            privileges,
            variables,
            workingDir,
            command(container, image, variables),
            log(container)));
  }

  /** The file that makes a process a member of the container's control group. */
  private Path group(Container container) {
    Quantity limit =
        container.getResources() == null || container.getResources().getLimits() == null
            ? null
            : container.getResources().getLimits().get("memory");
    MemoryGroups memory = node.memory();
    if (limit == null || memory == null) {
      return NO_GROUP;
    }
    Path group =
        memory.make(
            network.get().namespace() + "-" + container.getName(),
            limit.getNumericalAmount().longValue());
    groups.put(container.getName(), group);
    return group.resolve("cgroup.procs");
  }

  @Override
  public boolean outOfMemory(Container container) {
    Path group = groups.get(container.getName());
    MemoryGroups memory = node.memory();
    return group != null && memory != null && memory.exhausted(group);
  }

  private static List<String> command(
      Container container, Image image, Map<String, String> variables) {
    List<String> command =
        new ArrayList<>(
            container.getCommand().isEmpty()
                ? image.entrypoint()
                : expanded(container.getCommand(), variables));
    command.addAll(expanded(container.getArgs(), variables));
    if (command.isEmpty()) {
      throw new NotConfigured("no command specified");
    }
    return command;
  }

  private static List<String> expanded(List<String> words, Map<String, String> variables) {
    return words.stream().map(word -> Expansion.expand(word, variables)).toList();
  }

  private static Path written(Path place, String script) {
    Path file = place.resolveSibling(place.getFileName() + ".sh");
    try {
      Files.createDirectories(place);
      Files.writeString(file, script);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path log(Container container) {
    Path log =
        log(
            node.folder(),
            pod.getMetadata().getNamespace(),
            pod.getMetadata().getName(),
            container.getName());
    try {
      Files.createDirectories(log.resolveSibling("."));
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the pod's files and control groups; its containers have ended. */
  void clear() {
    MemoryGroups memory = node.memory();
    if (memory != null) {
      groups.values().forEach(memory::remove);
    }
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
