package dev.reprise.dev.kube;

import dev.reprise.dev.KeptStateException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an {@link ObjectLog} of an earlier process holds. */
final class KeptObjects {
  /** Kubernetes forgets events after an hour too, unless told otherwise. */
  private static final Duration EVENT_LIFETIME = Duration.ofHours(1);

  private static final Set<String> EVENTS = Set.of("events", "events.events.k8s.io");

  private final Map<String, Map<String, ObjectNode>> objects = new HashMap<>();
  private long revision;

  private KeptObjects() {}

  /** The objects that live, by resource and by {@code namespace/name}. */
  Map<String, Map<String, ObjectNode>> objects() {
    return objects;
  }

  /** The highest resourceVersion that was ever written. */
  long revision() {
    return revision;
  }

  /**
   * Reads a log. What follows the last line break is the write during which the process died, and
   * is ignored.
   *
   * @throws KeptStateException when anything else is not as an {@link ObjectLog} writes it
   */
  static KeptObjects read(Path file) throws IOException {
    KeptObjects kept = new KeptObjects();
    byte[] bytes = Files.readAllBytes(file);
    int number = 1;
    try (BufferedReader lines = reader(bytes)) {
      kept.readHeader(String.valueOf(lines.readLine()));
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        kept.readLine(line);
      }
    } catch (CharacterCodingException | IllegalArgumentException | JacksonException e) {
      throw unreadable(file, number, e);
    }
    kept.forgetOldEvents();
    return kept;
  }

  private static BufferedReader reader(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return new BufferedReader(
        new InputStreamReader(
            new ByteArrayInputStream(bytes, 0, end), StandardCharsets.UTF_8.newDecoder()));
  }

  private static KeptStateException unreadable(Path file, int line, Exception cause) {
    return new KeptStateException(
        file,
        "%s holds the objects of the embedded cluster but cannot be read at line %d; move it away to start with an empty cluster"
            .formatted(file, line),
        cause);
  }

  private void readHeader(String line) {
    JsonNode header = Json.parseKey(line);
    if (!Json.text(header, "format").equals(ObjectLog.FORMAT)) {
      throw new IllegalArgumentException("not of the format " + ObjectLog.FORMAT);
    }
    revision = Long.parseLong(Json.text(header, "revision"));
  }

  private void readLine(String line) {
    JsonNode entry = Json.parseKey(line);
    String resource = Json.text(entry, "resource");
    if (!(entry.get("object") instanceof ObjectNode object)
        || resource.isEmpty()
        || Meta.name(object).isEmpty()) {
      throw new IllegalArgumentException("a resource and an object with a name are missing");
    }
    revision = Math.max(revision, Long.parseLong(Meta.resourceVersion(object)));
    Map<String, ObjectNode> table = objects.computeIfAbsent(resource, key -> new HashMap<>());
    String key = ObjectStore.key(Meta.namespace(object), Meta.name(object));
    switch (Json.text(entry, "op")) {
      case ObjectLog.PUT -> table.put(key, object);
      case ObjectLog.DELETE -> table.remove(key);
      default -> throw new IllegalArgumentException("neither put nor delete");
    }
  }

  private void forgetOldEvents() {
    String limit = Instant.now().minus(EVENT_LIFETIME).toString();
    EVENTS.forEach(
        resource ->
            objects
                .getOrDefault(resource, Map.of())
                .values()
                .removeIf(
                    event ->
                        Stream.of(
                                Json.text(event, "metadata", "creationTimestamp"),
                                Json.text(event, "lastTimestamp"),
                                Json.text(event, "eventTime"),
                                Json.text(event, "series", "lastObservedTime"))
                            .allMatch(time -> time.compareTo(limit) < 0)));
  }
}
