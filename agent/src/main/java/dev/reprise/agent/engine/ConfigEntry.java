package dev.reprise.agent.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.ConfigValueFrom;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A configuration item with its value fetched.
 *
 * @param key the key, or with {@code path} a path into a map or list
 * @param value a string unless it came as JSON
 */
record ConfigEntry(String key, boolean path, boolean secret, JsonNode value) {
  private static final long FILE_LIMIT = 16L * 1024 * 1024;

  static ConfigEntry resolve(ConfigItem item, Path workspace, Map<String, String> environment)
      throws OperationException {
    if (item.getKey().isBlank()) {
      throw OperationException.of(Status.Code.INVALID_ARGUMENT, "a config item has no key");
    }
    JsonNode value =
        switch (item.getVCase()) {
          case VALUE -> JsonValues.toJson(item.getValue());
          case VALUE_FROM -> fetch(item, workspace, environment);
          case V_NOT_SET -> throw bad(item, "it has no value");
        };
    return new ConfigEntry(item.getKey(), item.getPath(), item.getSecret(), value);
  }

  private static JsonNode fetch(ConfigItem item, Path workspace, Map<String, String> environment)
      throws OperationException {
    ConfigValueFrom from = item.getValueFrom();
    String text =
        switch (from.getFCase()) {
          case ENV -> {
            if (!environment.containsKey(from.getEnv())) {
              throw bad(item, "environment variable " + from.getEnv() + " is not set");
            }
            yield environment.getOrDefault(from.getEnv(), "");
          }
          case PATH -> file(item, workspace.resolve(from.getPath()));
          case F_NOT_SET -> throw bad(item, "value_from names neither env nor path");
        };
    if (!from.getJson()) {
      return JsonNodeFactory.instance.textNode(text);
    }
    try {
      return JsonValues.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      // Jackson's own message quotes the text, which may be secret.
      throw bad(item, "what was read is not JSON");
    }
  }

  private static String file(ConfigItem item, Path file) throws OperationException {
    try {
      if (Files.size(file) > FILE_LIMIT) {
        throw bad(item, "file " + file + " is larger than " + FILE_LIMIT + " bytes");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw bad(item, "file " + file + " cannot be read");
    }
  }

  private static OperationException bad(ConfigItem item, String why) {
    return OperationException.of(
        Status.Code.INVALID_ARGUMENT, "config key \"" + item.getKey() + "\": " + why);
  }
}
