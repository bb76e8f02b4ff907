package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The volumes of one pod as folders of this machine. Their content stays as it was at the start.
 */
final class Volumes {
  private static final int WRITABLE = 0777;
  private static final int OF_ITS_GROUP = 02777;

  private final Pod pod;
  private final VolumeFiles files;
  private final Path folder;
  private final OptionalLong group;
  private final Map<String, Path> places = new HashMap<>();

  /**
   * None yet.
   *
   * @param folder where they are made
   */
  Volumes(PodApi api, PodFields fields, Path folder) {
    this.pod = fields.pod();
    this.folder = folder;
    this.group =
        pod.getSpec().getSecurityContext() == null
                || pod.getSpec().getSecurityContext().getFsGroup() == null
            ? OptionalLong.empty()
            : OptionalLong.of(pod.getSpec().getSecurityContext().getFsGroup());
    this.files = new VolumeFiles(api, fields, group);
  }

  /**
   * Makes those that are not made yet.
   *
   * @throws NotConfigured when something they refer to is not there
   */
  void make() {
    for (Volume volume : pod.getSpec().getVolumes()) {
      if (!places.containsKey(volume.getName())) {
        places.put(volume.getName(), made(volume));
      }
    }
  }

  private Path made(Volume volume) {
    Path place = folder.resolve(volume.getName());
    if (volume.getEmptyDir() != null) {
      writableFolder(place);
    } else if (volume.getHostPath() != null) {
      place = Path.of(volume.getHostPath().getPath());
      if (!Files.exists(place)) {
        writableFolder(place);
      }
    } else {
      files.write(volume, place);
    }
    return place;
  }

  /** What a container sees of them, outer places first. */
  List<RootFs.Bind> binds(Container container, Map<String, String> variables) {
    List<RootFs.Bind> binds = new ArrayList<>();
    for (VolumeMount mount : container.getVolumeMounts()) {
      boolean readOnly = Boolean.TRUE.equals(mount.getReadOnly()) || fixed(mount);
      binds.add(new RootFs.Bind(source(mount, variables), mount.getMountPath(), readOnly));
    }
    binds.sort(Comparator.comparingInt(bind -> Path.of(bind.target()).getNameCount()));
    return binds;
  }

  private Path source(VolumeMount mount, Map<String, String> variables) {
    Path place = places.get(mount.getName());
    if (place == null) {
      throw new NotConfigured("volume " + mount.getName() + " is not there");
    }
    String inner =
        mount.getSubPathExpr() != null
            ? Expansion.expand(mount.getSubPathExpr(), variables)
            : Optional.ofNullable(mount.getSubPath()).orElse("");
    Path source = inner.isEmpty() ? place : place.resolve(inner);
    if (!Files.exists(source)) {
      writableFolder(source);
    }
    return source;
  }

  private boolean fixed(VolumeMount mount) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getName().equals(mount.getName()))
        .noneMatch(volume -> volume.getEmptyDir() != null || volume.getHostPath() != null);
  }

  private void writableFolder(Path place) {
    try {
      Files.createDirectories(place);
      if (group.isPresent()) {
        Files.setAttribute(place, "unix:gid", (int) group.getAsLong());
      }
      Files.setAttribute(place, "unix:mode", group.isPresent() ? OF_ITS_GROUP : WRITABLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
