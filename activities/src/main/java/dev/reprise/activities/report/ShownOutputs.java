package dev.reprise.activities.report;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * The outputs as a status can hold them, at most {@value #MOST_BYTES} bytes: the status is read by
 * every watcher of Stacks, and an object beyond the server's limit could not be written at all.
 */
final class ShownOutputs {
  static final int MOST_BYTES = 100 * 1024;

  /** No output's key has brackets. */
  static final String MORE = "[truncated]";

  /** Kept free for the line that tells of the rest. */
  private static final int RESERVED = 512;

  private static final int PUNCTUATION = 4;

  private final Map<String, JsonNode> shown = new LinkedHashMap<>();
  private final String secret;
  private int left = MOST_BYTES - RESERVED;
  private int more;

  /**
   * @param secret the Secret that holds them all
   */
  ShownOutputs(String secret) {
    this.secret = secret;
  }

  /** Shows an output, or where it is when it does not fit. */
  void add(String key, JsonNode value) {
    if (!fits(key, value)) {
      note(key, "[truncated: too large to be shown here, see Secret " + secret + "]");
    }
  }

  /** Names an output that the Secret does not hold either. */
  void addDropped(String key) {
    note(key, "[truncated: too large to be kept]");
  }

  Map<String, JsonNode> all() {
    if (more > 0) {
      shown.put(MORE, StringNode.valueOf(more + " more, see Secret " + secret));
    }
    return shown;
  }

  private void note(String key, String words) {
    if (!fits(key, StringNode.valueOf(words))) {
      more++;
    }
  }

  private boolean fits(String key, JsonNode value) {
    int size = bytes(key) + bytes(value.toString()) + PUNCTUATION;
    if (size > left) {
      return false;
    }
    left -= size;
    shown.put(key, value);
    return true;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
