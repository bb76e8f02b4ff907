package dev.reprise.agent.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits a byte stream into lines without ever holding more than one. A carriage return ends a line
 * too, so that progress bars arrive as they are drawn.
 */
final class LineReader {
  private static final Logger log = LoggerFactory.getLogger(LineReader.class);

  /** Bytes of one line that are kept; what follows up to its end is dropped. */
  static final int LIMIT = 64 * 1024;

  private static final int CHUNK = 16 * 1024;

  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long dropped;
  private boolean afterReturn;

  private LineReader(Consumer<String> lines) {
    this.lines = lines;
  }

  /**
   * Reads to the end. A listener that fails is logged and the reading goes on: a full pipe would
   * stop the child.
   */
  static void readAll(InputStream stream, Consumer<String> lines) {
    LineReader reader = new LineReader(lines);
    byte[] chunk = new byte[CHUNK];
    try (stream) {
      for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk)) {
        reader.accept(chunk, n);
      }
    } catch (IOException closed) {
      log.debug("a child's output was closed", closed);
    }
    if (reader.line.size() > 0) {
      reader.emit();
    }
  }

  private void accept(byte[] chunk, int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n' || chunk[i] == '\r') {
        add(chunk, start, i);
        boolean secondOfPair = chunk[i] == '\n' && afterReturn && start == i;
        if (!secondOfPair) {
          emit();
        }
        afterReturn = chunk[i] == '\r';
        start = i + 1;
      }
    }
    add(chunk, start, length);
    afterReturn &= start == length;
  }

  private void add(byte[] chunk, int from, int to) {
    int kept = Math.min(to - from, LIMIT - line.size());
    line.write(chunk, from, kept);
    dropped += to - from - kept;
  }

  private void emit() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (dropped > 0) {
      text += " … (" + dropped + " bytes left out)";
      dropped = 0;
    }
    try {
      lines.accept(text);
    } catch (RuntimeException e) {
      log.error("a line of output could not be handled", e);
    }
  }
}
