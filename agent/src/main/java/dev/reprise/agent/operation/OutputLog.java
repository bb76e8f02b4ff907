package dev.reprise.agent.operation;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last operation's output on disk, for a person to read: {@code output.log}, and the part
 * before it in {@code output.log.1}; at most twice {@link #LIMIT} together. A full disk never fails
 * the operation.
 */
final class OutputLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OutputLog.class);

  /** Characters per file. */
  private static final int LIMIT = 8 * 1024 * 1024;

  private final Path file;
  private final Path before;
  private Writer writer;
  private long written;

  OutputLog(Path stateDir) {
    this.file = stateDir.resolve("output.log");
    this.before = stateDir.resolve("output.log.1");
    this.writer = Writer.nullWriter();
    try {
      Files.deleteIfExists(before);
      open();
    } catch (IOException e) {
      log.warn("no output log is kept", e);
    }
  }

  synchronized void line(String line) {
    try {
      if (written > LIMIT) {
        writer.close();
        Files.move(file, before, StandardCopyOption.REPLACE_EXISTING);
        open();
      }
      writer.write(line);
      writer.write('\n');
      written += line.length() + 1;
    } catch (IOException e) {
      log.warn("the output log ends here", e);
      writer = Writer.nullWriter();
    }
  }

  @Override
  public synchronized void close() {
    try {
      writer.close();
    } catch (IOException e) {
      log.warn("the output log is incomplete", e);
    }
    writer = Writer.nullWriter();
  }

  private void open() throws IOException {
    Durable.replace(file, new byte[0]);
    writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    written = 0;
  }
}
