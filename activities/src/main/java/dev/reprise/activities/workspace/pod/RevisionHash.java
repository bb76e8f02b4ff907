package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.StackSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * Changes exactly when a pod is no longer what is wanted: with its program, with anything of the
 * generated objects, and with what is done once when a pod is new. A change of the Stack that
 * concerns none of these, such as another retry policy, leaves the pod alone.
 */
final class RevisionHash {
  private static final JsonMapper SORTED =
      JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();
  private static final int DIGITS = 32;

  private RevisionHash() {}

  /**
   * The hash, 32 hexadecimal digits.
   *
   * @param objects what is applied, without the hash itself
   */
  static String of(StackSpec spec, String revision, JsonNode... objects) {
    ArrayNode whole = SORTED.createArrayNode();
    whole.add(revision).add(spec.stack()).add(spec.secretsProvider()).add(spec.useLocalStackOnly());
    spec.environment().forEach(whole.addArray()::add);
    for (JsonNode object : objects) {
      whole.add(object);
    }
    byte[] text = SORTED.writeValueAsString(whole).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
