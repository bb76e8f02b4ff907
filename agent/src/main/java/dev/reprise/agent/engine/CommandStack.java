package dev.reprise.agent.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.reprise.agent.operation.Durable;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.OutputValue;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is kept on disk for one stack of Command programs: config, outputs, a folder of its own. */
record CommandStack(String name, Path folder) {
  private static final long OUTPUTS_LIMIT = 64L * 1024 * 1024;

  static CommandStack of(Path stateDir, String name) {
    return new CommandStack(name, stateDir.resolve("stacks").resolve(folderName(name)));
  }

  /** Readable where that is safe; the digest keeps two names apart that look the same after it. */
  private static String folderName(String name) {
    String readable = name.replaceAll("[^A-Za-z0-9_-]", "_");
    String start = readable.substring(0, Math.min(60, readable.length()));
    return start + "-" + digest(name).substring(0, 12);
  }

  private static String digest(String name) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  boolean exists() {
    return Files.isDirectory(state());
  }

  void create() throws IOException {
    Durable.folder(state());
    if (!Files.exists(config())) {
      Durable.replace(config(), "{}".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Removes everything kept for the stack. */
  void delete() throws IOException {
    Durable.delete(folder);
  }

  Path state() {
    return folder.resolve("state");
  }

  Path config() {
    return folder.resolve("config.json");
  }

  Path outputs() {
    return folder.resolve("outputs.json");
  }

  private Path secrets() {
    return folder.resolve("secrets.json");
  }

  private Path lastUpdate() {
    return folder.resolve("last-update");
  }

  void saveConfig(List<ConfigEntry> entries) throws IOException, OperationException {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    List<String> secrets = new ArrayList<>();
    for (ConfigEntry entry : entries) {
      if (entry.path()) {
        PropertyPath.set(config, entry.key(), entry.value());
      } else {
        config.set(entry.key(), entry.value());
      }
      if (entry.secret()) {
        secrets.addAll(Masker.leaves(entry.value()));
      }
    }
    // The secrets first: a crash in between must not leave a config whose secrets are not masked.
    Durable.replace(secrets(), JsonValues.MAPPER.writeValueAsBytes(secrets));
    Durable.replace(config(), JsonValues.MAPPER.writeValueAsBytes(config));
  }

  List<String> secretValues() throws IOException {
    return Files.exists(secrets())
        ? JsonValues.MAPPER.readValue(secrets().toFile(), new TypeReference<List<String>>() {})
        : List.of();
  }

  void saveLastUpdate(Instant time) throws IOException {
    Durable.replace(lastUpdate(), time.toString().getBytes(StandardCharsets.UTF_8));
  }

  Optional<Instant> readLastUpdate() throws IOException {
    return Files.exists(lastUpdate())
        ? Optional.of(Instant.parse(Files.readString(lastUpdate())))
        : Optional.empty();
  }

  /**
   * The outputs the program left: its own file, else {@code outputs.json} in the workspace, else
   * none. An output is secret if it says so or contains a secret of the configuration.
   */
  Map<String, OutputValue> readOutputs(Path workspace, Masker masker)
      throws OperationException, IOException {
    Path file = Files.exists(outputs()) ? outputs() : workspace.resolve("outputs.json");
    if (!Files.exists(file) || Files.size(file) == 0) {
      return Map.of();
    }
    if (Files.size(file) > OUTPUTS_LIMIT) {
      throw badOutputs(file, "is larger than " + OUTPUTS_LIMIT + " bytes");
    }
    JsonNode object = parse(file);
    if (!object.isObject()) {
      throw badOutputs(file, "is not a JSON object");
    }
    Map<String, OutputValue> outputs = new TreeMap<>();
    object
        .properties()
        .forEach(field -> outputs.put(field.getKey(), output(field.getValue(), masker)));
    return outputs;
  }

  private static JsonNode parse(Path file) throws OperationException, IOException {
    try {
      return JsonValues.MAPPER.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      // Its message may quote the content, and outputs may be secret.
      throw badOutputs(file, "is not a JSON object");
    }
  }

  private static OutputValue output(JsonNode node, Masker masker) {
    boolean marked =
        node.isObject() && node.size() == 2 && node.path("secret").isBoolean() && node.has("value");
    String json = (marked ? node.path("value") : node).toString();
    return OutputValue.newBuilder()
        .setValue(ByteString.copyFromUtf8(json))
        .setSecret((marked && node.path("secret").booleanValue()) || masker.finds(json))
        .build();
  }

  private static OperationException badOutputs(Path file, String why) {
    return OperationException.of(
        Status.Code.UNKNOWN, "up failed: the program succeeded, but " + file + " " + why);
  }
}
