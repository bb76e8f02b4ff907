package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ProjectedVolumeSource;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The volumes of one pod as folders of this machine. Their content stays as it was at the start.
 */
final class Volumes {
  private static final int USUAL_MODE = 0644;
  private static final long TOKEN_SECONDS = 3600;

  private final PodApi api;
  private final PodFields fields;
  private final Pod pod;
  private final Path folder;
  private final Map<String, Path> places = new HashMap<>();

  /**
   * None yet.
   *
   * @param folder where they are made
   */
  Volumes(PodApi api, PodFields fields, Path folder) {
    this.api = api;
    this.fields = fields;
    this.pod = fields.pod();
    this.folder = folder;
  }

  private static final class Content {
    private final byte[] bytes;
    private final int mode;

    Content(byte[] bytes, int mode) {
      this.bytes = bytes;
      this.mode = mode;
    }

    byte[] bytes() {
      return bytes;
    }

    int mode() {
      return mode;
    }
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

  /** What a container sees of them, outer places first. */
  List<RootFs.Bind> binds(Container container, Map<String, String> variables) {
    List<RootFs.Bind> binds = new ArrayList<>();
    for (VolumeMount mount : container.getVolumeMounts()) {
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
      binds.add(
          new RootFs.Bind(
              source,
              mount.getMountPath(),
              Boolean.TRUE.equals(mount.getReadOnly()) || fixed(mount)));
    }
    binds.sort(Comparator.comparingInt(bind -> Path.of(bind.target()).getNameCount()));
    return binds;
  }

  private boolean fixed(VolumeMount mount) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getName().equals(mount.getName()))
        .noneMatch(volume -> volume.getEmptyDir() != null || volume.getHostPath() != null);
  }

  private Path made(Volume volume) {
    Path place = folder.resolve(volume.getName());
    if (volume.getEmptyDir() != null) {
      writableFolder(place);
      return place;
    }
    if (volume.getHostPath() != null) {
      Path path = Path.of(volume.getHostPath().getPath());
      if (!Files.exists(path)) {
        writableFolder(path);
      }
      return path;
    }
    Map<String, Content> files = content(volume);
    files.forEach((name, content) -> write(place.resolve(name), content));
    if (files.isEmpty()) {
      create(place);
    }
    return place;
  }

  private Map<String, Content> content(Volume volume) {
    String namespace = pod.getMetadata().getNamespace();
    if (volume.getSecret() != null) {
      var source = volume.getSecret();
      return selected(
          required(
              api.secret(namespace, source.getSecretName()),
              source.getOptional(),
              "secret " + source.getSecretName()),
          source.getItems(),
          source.getDefaultMode());
    }
    if (volume.getConfigMap() != null) {
      var source = volume.getConfigMap();
      return selected(
          required(
              api.configMap(namespace, source.getName()),
              source.getOptional(),
              "configmap " + source.getName()),
          source.getItems(),
          source.getDefaultMode());
    }
    if (volume.getDownwardAPI() != null) {
      return downward(volume.getDownwardAPI().getItems());
    }
    if (volume.getProjected() != null) {
      return projected(volume.getProjected());
    }
    throw new NotConfigured("volume " + volume.getName() + " is of an unsupported kind");
  }

  private Map<String, Content> projected(ProjectedVolumeSource volume) {
    String namespace = pod.getMetadata().getNamespace();
    Map<String, Content> files = new LinkedHashMap<>();
    for (VolumeProjection source : volume.getSources()) {
      if (source.getServiceAccountToken() != null) {
        files.put(
            source.getServiceAccountToken().getPath(), token(source.getServiceAccountToken()));
      } else if (source.getConfigMap() != null) {
        var map = source.getConfigMap();
        files.putAll(
            selected(
                required(
                    api.configMap(namespace, map.getName()),
                    map.getOptional(),
                    "configmap " + map.getName()),
                map.getItems(),
                volume.getDefaultMode()));
      } else if (source.getSecret() != null) {
        var secret = source.getSecret();
        files.putAll(
            selected(
                required(
                    api.secret(namespace, secret.getName()),
                    secret.getOptional(),
                    "secret " + secret.getName()),
                secret.getItems(),
                volume.getDefaultMode()));
      } else if (source.getDownwardAPI() != null) {
        files.putAll(downward(source.getDownwardAPI().getItems()));
      }
    }
    return files;
  }

  private Content token(ServiceAccountTokenProjection wanted) {
    String token =
        api.token(
            pod,
            Optional.ofNullable(wanted.getAudience()).orElse(""),
            Optional.ofNullable(wanted.getExpirationSeconds()).orElse(TOKEN_SECONDS));
    return new Content(token.getBytes(StandardCharsets.UTF_8), USUAL_MODE);
  }

  private Map<String, Content> downward(List<DownwardAPIVolumeFile> items) {
    Map<String, Content> files = new LinkedHashMap<>();
    for (DownwardAPIVolumeFile item : items) {
      String value =
          item.getFieldRef() != null
              ? fields.value(item.getFieldRef().getFieldPath())
              : fields.resource(
                  pod.getSpec().getContainers().getFirst(), item.getResourceFieldRef());
      files.put(item.getPath(), new Content(value.getBytes(StandardCharsets.UTF_8), USUAL_MODE));
    }
    return files;
  }

  private static Map<String, byte[]> required(
      Optional<Map<String, byte[]>> found, @Nullable Boolean optional, String what) {
    if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new NotConfigured(what + " not found");
    }
    return found.orElse(Map.of());
  }

  private static Map<String, Content> selected(
      Map<String, byte[]> values, List<KeyToPath> items, @Nullable Integer defaultMode) {
    int usual = defaultMode == null ? USUAL_MODE : defaultMode;
    Map<String, Content> files = new LinkedHashMap<>();
    if (items.isEmpty()) {
      values.forEach((key, bytes) -> files.put(key, new Content(bytes, usual)));
    }
    for (KeyToPath item : items) {
      byte[] bytes = values.get(item.getKey());
      if (bytes == null && !values.isEmpty()) {
        throw new NotConfigured("references non-existent key: " + item.getKey());
      }
      if (bytes != null) {
        int mode = item.getMode() == null ? usual : item.getMode();
        files.put(item.getPath(), new Content(bytes, mode));
      }
    }
    return files;
  }

  private void write(Path file, Content content) {
    create(Optional.ofNullable(file.getParent()).orElse(folder));
    try {
      Files.write(file, content.bytes());
      own(file, content.mode());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The group of the pod's volumes may read whatever their owner may. */
  private void own(Path file, int mode) throws IOException {
    Long group = group();
    int readable = group == null ? mode : mode | (mode & 0700) >> 3;
    if (group != null) {
      Files.setAttribute(file, "unix:gid", group.intValue());
    }
    Files.setAttribute(file, "unix:mode", readable);
  }

  private @Nullable Long group() {
    return pod.getSpec().getSecurityContext() == null
        ? null
        : pod.getSpec().getSecurityContext().getFsGroup();
  }

  private static void create(Path place) {
    try {
      Files.createDirectories(place);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writableFolder(Path place) {
    create(place);
    try {
      Long group = group();
      if (group != null) {
        Files.setAttribute(place, "unix:gid", group.intValue());
      }
      Files.setAttribute(place, "unix:mode", group == null ? 0777 : 02777);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
