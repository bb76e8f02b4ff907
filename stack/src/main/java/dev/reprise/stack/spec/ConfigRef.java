package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * A configuration value kept in a ConfigMap; {@code json}: the value is parsed as JSON rather than
 * taken as text.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ConfigRef(String name, String key, Boolean json) {
  public ConfigRef {
    name = Absent.text(name);
    key = Absent.text(key);
    json = Absent.or(json, false);
  }
}
