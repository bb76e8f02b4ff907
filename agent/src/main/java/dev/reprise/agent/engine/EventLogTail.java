package dev.reprise.agent.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a file that another process appends lines to. {@link #close} reads what is left, so
 * afterwards no complete line has been missed.
 */
final class EventLogTail implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventLogTail.class);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

  /** A line beyond this is skipped: an event carries a resource's state, which may be huge. */
  private static final int LINE_LIMIT = 8 * 1024 * 1024;

  private static final int CHUNK = 64 * 1024;

  private final Path file;
  private final Consumer<String> lines;
  private final Thread thread;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean tooLong;
  private volatile boolean ending;

  /** The file must exist; {@code lines} is called from one thread of this object. */
  EventLogTail(Path file, Consumer<String> lines) {
    this.file = file;
    this.lines = lines;
    this.thread = Thread.ofPlatform().daemon().name("event-log").start(this::follow);
  }

  private void follow() {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] chunk = new byte[CHUNK];
      boolean last = false;
      while (true) {
        // Asked before reading: what was written before the end was announced is read below.
        last = ending;
        for (int n = in.read(chunk); n > 0; n = in.read(chunk)) {
          split(chunk, n);
        }
        if (last) {
          return;
        }
        Thread.sleep(POLL);
      }
    } catch (IOException e) {
      log.warn("the event log cannot be read: progress is incomplete", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void split(byte[] chunk, int length) {
    for (int i = 0; i < length; i++) {
      if (chunk[i] == '\n') {
        emit();
      } else if (line.size() < LINE_LIMIT) {
        line.write(chunk[i]);
      } else {
        tooLong = true;
      }
    }
  }

  private void emit() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (tooLong) {
      tooLong = false;
      log.warn("an engine event of more than {} bytes was skipped", LINE_LIMIT);
      return;
    }
    try {
      lines.accept(text);
    } catch (RuntimeException e) {
      log.error("an engine event could not be handled", e);
    }
  }

  @Override
  public void close() {
    ending = true;
    try {
      if (!thread.join(DRAIN_LIMIT)) {
        log.warn("the event log was not read to its end");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
