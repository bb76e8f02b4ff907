package dev.reprise.agent.operation;

import java.nio.charset.StandardCharsets;

/**
 * Cuts a status description to what fits into HTTP/2 headers everywhere: 8 KiB is the default limit
 * of grpc-java for all headers of a response together. The beginning and the end are kept, because
 * the first lines say what failed and the last ones why.
 */
public final class BoundedDescription {
  /** Bytes in UTF-8. */
  public static final int LIMIT = 7 * 1024;

  private static final String GAP = "\n… (text left out) …\n";

  private BoundedDescription() {}

  /** The text itself if it is short enough. */
  public static String of(String text) {
    if (bytes(text) <= LIMIT) {
      return text;
    }
    // A third for the beginning; a character may take four bytes, so it is measured, not counted.
    String head = text.substring(0, fit(text, LIMIT / 3, true));
    String tail = text.substring(text.length() - fit(text, LIMIT - LIMIT / 3 - 64, false));
    return head + GAP + tail;
  }

  private static int fit(String text, int limit, boolean fromStart) {
    int low = 0;
    int high = Math.min(text.length(), limit);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      String part = fromStart ? text.substring(0, middle) : text.substring(text.length() - middle);
      if (bytes(part) <= limit) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
