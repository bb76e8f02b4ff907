package dev.reprise.activities.kube;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything a Stack's operation is given besides its program, with references followed.
 *
 * @param config in the order to be sent: config, configRef, secrets, secretsRef, keys sorted within
 *     each, so that a later one wins
 * @param environment of the agent's process, sorted by name
 * @param secretVariables the names in {@code environment} whose values are secrets
 * @param referenced each referenced value by "kind/object/key", sorted; what a digest is made of
 * @param secrets every secret value, for masking
 */
public record StackInputs(
    List<ConfigValue> config,
    Map<String, String> environment,
    Set<String> secretVariables,
    SortedMap<String, String> referenced,
    Set<String> secrets) {

  /** The configuration and each referenced value under a name of its own, for a digest. */
  public SortedMap<String, String> everything() {
    SortedMap<String, String> everything = new TreeMap<>(referenced);
    for (ConfigValue item : config) {
      everything.put((item.secret() ? "secret/" : "config/") + item.key(), item.value().toString());
    }
    return everything;
  }

  /** Without any value. */
  @Override
  public String toString() {
    return "StackInputs[" + referenced.keySet() + "]";
  }
}
