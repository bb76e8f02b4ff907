package dev.reprise.activities.kube;

import tools.jackson.databind.JsonNode;

/**
 * One item of a stack's configuration, resolved.
 *
 * @param key the key as the Stack writes it
 * @param value the value; text unless the Stack gave, or asked to parse, something else
 * @param secret whether Pulumi is to encrypt it
 */
public record ConfigValue(String key, JsonNode value, boolean secret) {
  /** Without the value. */
  @Override
  public String toString() {
    return "ConfigValue[" + key + "]";
  }
}
