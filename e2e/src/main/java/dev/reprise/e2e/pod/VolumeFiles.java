package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ProjectedVolumeSource;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The files of volumes that show objects of the API. */
final class VolumeFiles {
  private static final int USUAL_MODE = 0644;
  private static final int OWNERS_BITS = 0700;
  private static final long TOKEN_SECONDS = 3600;

  private final PodApi api;
  private final PodFields fields;
  private final Pod pod;
  private final OptionalLong group;

  /**
   * For the volumes of one pod.
   *
   * @param group may read whatever their owner may
   */
  VolumeFiles(PodApi api, PodFields fields, OptionalLong group) {
    this.api = api;
    this.fields = fields;
    this.pod = fields.pod();
    this.group = group;
  }

  /**
   * Writes those of a volume.
   *
   * @throws NotConfigured when an object or a key is not there, some may be written then
   */
  void write(Volume volume, Path place) {
    create(place);
    if (volume.getSecret() != null) {
      var source = volume.getSecret();
      selected(
          place,
          secret(source.getSecretName(), source.getOptional()),
          source.getItems(),
          source.getDefaultMode());
    } else if (volume.getConfigMap() != null) {
      var source = volume.getConfigMap();
      selected(
          place,
          configMap(source.getName(), source.getOptional()),
          source.getItems(),
          source.getDefaultMode());
    } else if (volume.getDownwardAPI() != null) {
      downward(place, volume.getDownwardAPI().getItems());
    } else if (volume.getProjected() != null) {
      projected(place, volume.getProjected());
    } else {
      throw new NotConfigured("volume " + volume.getName() + " is of an unsupported kind");
    }
  }

  private void projected(Path place, ProjectedVolumeSource volume) {
    for (VolumeProjection source : volume.getSources()) {
      if (source.getServiceAccountToken() != null) {
        token(place, source.getServiceAccountToken());
      }
      if (source.getConfigMap() != null) {
        var map = source.getConfigMap();
        selected(
            place,
            configMap(map.getName(), map.getOptional()),
            map.getItems(),
            volume.getDefaultMode());
      }
      if (source.getSecret() != null) {
        var secret = source.getSecret();
        selected(
            place,
            secret(secret.getName(), secret.getOptional()),
            secret.getItems(),
            volume.getDefaultMode());
      }
      if (source.getDownwardAPI() != null) {
        downward(place, source.getDownwardAPI().getItems());
      }
    }
  }

  private Map<String, byte[]> secret(String name, @Nullable Boolean optional) {
    return required(api.secret(pod.getMetadata().getNamespace(), name), optional, "secret " + name);
  }

  private Map<String, byte[]> configMap(String name, @Nullable Boolean optional) {
    return required(
        api.configMap(pod.getMetadata().getNamespace(), name), optional, "configmap " + name);
  }

  private static Map<String, byte[]> required(
      Optional<Map<String, byte[]>> found, @Nullable Boolean optional, String what) {
    if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new NotConfigured(what + " not found");
    }
    return found.orElse(Map.of());
  }

  private void token(Path place, ServiceAccountTokenProjection wanted) {
    String token =
        api.token(
            pod,
            Optional.ofNullable(wanted.getAudience()).orElse(""),
            Optional.ofNullable(wanted.getExpirationSeconds()).orElse(TOKEN_SECONDS));
    write(place.resolve(wanted.getPath()), token.getBytes(StandardCharsets.UTF_8), USUAL_MODE);
  }

  private void downward(Path place, List<DownwardAPIVolumeFile> items) {
    for (DownwardAPIVolumeFile item : items) {
      String value =
          item.getFieldRef() != null
              ? fields.value(item.getFieldRef().getFieldPath())
              : fields.resource(
                  pod.getSpec().getContainers().getFirst(), item.getResourceFieldRef());
      write(place.resolve(item.getPath()), value.getBytes(StandardCharsets.UTF_8), USUAL_MODE);
    }
  }

  private void selected(
      Path place,
      Map<String, byte[]> values,
      List<KeyToPath> items,
      @Nullable Integer defaultMode) {
    int usual = defaultMode == null ? USUAL_MODE : defaultMode;
    if (items.isEmpty()) {
      values.forEach((key, bytes) -> write(place.resolve(key), bytes, usual));
    }
    for (KeyToPath item : items) {
      byte[] bytes = values.get(item.getKey());
      if (bytes != null) {
        int mode = item.getMode() == null ? usual : item.getMode();
        write(place.resolve(item.getPath()), bytes, mode);
      } else if (!values.isEmpty()) {
        throw new NotConfigured("references non-existent key: " + item.getKey());
      }
    }
  }

  private void write(Path file, byte[] bytes, int mode) {
    create(file.resolveSibling("."));
    try {
      Files.write(file, bytes);
      if (group.isPresent()) {
        Files.setAttribute(file, "unix:gid", (int) group.getAsLong());
      }
      Files.setAttribute(
          file, "unix:mode", group.isPresent() ? mode | (mode & OWNERS_BITS) >> 3 : mode);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(Path place) {
    try {
      Files.createDirectories(place);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
