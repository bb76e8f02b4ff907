package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the manifests at the top level of a folder, or those of one file. */
final class ManifestReader {
  private static final Pattern MANIFEST = Pattern.compile("[^.].*\\.(yaml|yml|json)");

  /** Pulumi's own project and stack files may lie beside the manifests. */
  private static final Pattern PULUMI = Pattern.compile("Pulumi(\\..+)?\\.(yaml|yml|json)");

  private static final Pattern SEPARATOR = Pattern.compile("---(\\s.*)?");

  private final YAMLMapper yaml =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();
  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final Path root;

  ManifestReader(Path root) {
    this.root = root;
  }

  /**
   * What the files hold now.
   *
   * @param manifests in the order of files and documents, each object once
   * @param problems what could not be read
   * @param uncertain the files of those problems, whose missing objects may only be unreadable
   */
  record Reading(List<Manifest> manifests, List<ManifestProblem> problems, Set<Path> uncertain) {}

  Reading read() {
    Reading reading = new Reading(new ArrayList<>(), new ArrayList<>(), new HashSet<>());
    Map<String, Manifest> seen = new HashMap<>();
    for (Path file : files(reading)) {
      try {
        readFile(file, seen, reading);
      } catch (IOException e) {
        problem(reading, ManifestProblem.error(file, 0, 0, "cannot be read: " + e));
      }
    }
    return reading;
  }

  private List<Path> files(Reading reading) {
    if (Files.isRegularFile(root)) {
      return List.of(root);
    }
    try (Stream<Path> entries = Files.list(root)) {
      return entries
          .filter(file -> MANIFEST.matcher(file.getFileName().toString()).matches())
          .filter(file -> !PULUMI.matcher(file.getFileName().toString()).matches())
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException e) {
      problem(reading, ManifestProblem.error(root, 0, 0, "cannot be read: " + e));
      return List.of();
    }
  }

  /** One document at a time, so that a broken one leaves the others readable. */
  private void readFile(Path file, Map<String, Manifest> seen, Reading reading) throws IOException {
    StringBuilder document = new StringBuilder();
    int start = 1;
    int number = 0;
    for (String line : Files.readString(file).lines().toList()) {
      number++;
      if (SEPARATOR.matcher(line).matches()) {
        readDocument(file, start, document.toString(), seen, reading);
        document.setLength(0);
        start = number + 1;
      } else {
        document.append(line).append('\n');
      }
    }
    readDocument(file, start, document.toString(), seen, reading);
  }

  private void readDocument(
      Path file, int start, String text, Map<String, Manifest> seen, Reading reading) {
    try {
      JsonNode node = yaml.readTree(text);
      if (node.isMissingNode() || node.isNull()) {
        return;
      }
      if (node.path("kind").asString("").endsWith("List") && node.path("items").isArray()) {
        node.path("items").forEach(item -> accept(file, start, item, seen, reading));
      } else {
        accept(file, start, node, seen, reading);
      }
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      int line = at == null ? start : start + Math.max(at.getLineNr(), 1) - 1;
      int column = at == null ? 0 : Math.max(at.getColumnNr(), 0);
      String what = "not valid YAML, correct it and save again: " + withoutSource(e);
      problem(reading, ManifestProblem.error(file, line, column, what));
    }
  }

  /** The parser also quotes the source, indented and with positions of its own. */
  private static String withoutSource(JacksonException e) {
    return e.getOriginalMessage()
        .lines()
        .filter(line -> !line.startsWith(" "))
        .collect(Collectors.joining("; "));
  }

  private void accept(
      Path file, int line, JsonNode node, Map<String, Manifest> seen, Reading reading) {
    String missing =
        Stream.of("/apiVersion", "/kind", "/metadata/name")
            .filter(field -> node.at(field).asString("").isEmpty())
            .map(field -> field.substring(1).replace('/', '.'))
            .reduce((a, b) -> a + " and " + b)
            .orElse("");
    if (!missing.isEmpty()) {
      String what =
          "not a Kubernetes manifest: add %s, or move the file into a folder of its own"
              .formatted(missing);
      problem(reading, ManifestProblem.error(file, line, 0, what));
      return;
    }
    Manifest manifest;
    try {
      var object = serialization.unmarshal(node.toString(), GenericKubernetesResource.class);
      Origin.mark(file, object);
      manifest = new Manifest(file, line, LocalDirectories.resolve(file, object));
    } catch (RuntimeException e) {
      problem(reading, ManifestProblem.error(file, line, 0, "cannot be read: " + e.getMessage()));
      return;
    }
    Manifest first = seen.putIfAbsent(manifest.key(), manifest);
    if (first == null) {
      reading.manifests().add(manifest);
    } else {
      String what =
          "is already defined in %s:%d, which wins; remove one of the two"
              .formatted(first.file().getFileName(), first.line());
      problem(reading, ManifestProblem.error(manifest, what));
    }
  }

  private static void problem(Reading reading, ManifestProblem problem) {
    reading.problems().add(problem);
    reading.uncertain().add(problem.file());
  }
}
