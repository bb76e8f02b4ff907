package dev.reprise.agent.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this agent has ever started, one JSON object per line in {@code journal.log}; each line is
 * synced before the next step is taken. It is only appended to; opening it rewrites it once, with
 * all lines of the last operation and one STARTED line for each of up to 1000 operations before.
 */
public final class Journal implements Closeable {
  /** The file's name in the agent's state folder. */
  public static final String FILE = "journal.log";

  /** So many ids are remembered as started before; an id is minted per attempt, minutes apart. */
  static final int REMEMBERED = 1000;

  private static final Logger log = LoggerFactory.getLogger(Journal.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FileChannel channel;
  private final Map<String, Integer> starts = new LinkedHashMap<>();
  private final List<JournalEntry> lastOperation;

  private Journal(FileChannel channel, List<JournalEntry> entries) {
    this.channel = channel;
    this.lastOperation = linesOfLast(entries);
    entries.forEach(this::count);
  }

  /**
   * Opens the journal in a state folder.
   *
   * @throws IOException if it cannot be read or written; then nothing may be started
   */
  public static Journal open(Path stateDir) throws IOException {
    Path file = stateDir.resolve(FILE);
    List<JournalEntry> kept = compact(read(stateDir));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (JournalEntry entry : kept) {
      bytes.write(line(entry));
    }
    Durable.replace(file, bytes.toByteArray());
    return new Journal(Durable.append(file), kept);
  }

  /** All entries of the journal in a state folder, oldest first; none if there is no journal. */
  public static List<JournalEntry> read(Path stateDir) throws IOException {
    Path file = stateDir.resolve(FILE);
    if (!Files.exists(file)) {
      return List.of();
    }
    List<JournalEntry> entries = new ArrayList<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      try {
        entries.add(JSON.readValue(line, JournalEntry.class));
      } catch (JsonProcessingException torn) {
        // A line cut off by a crash: what it announced had not begun yet.
        log.warn("skipping an unreadable line of {}", file);
      }
    }
    return entries;
  }

  /** Appends and syncs a line. */
  public synchronized void append(JournalEntry entry) throws IOException {
    Durable.write(channel, line(entry));
    count(entry);
  }

  /** How often an id was started; the promise is: never more than once. */
  public synchronized int starts(String id) {
    return starts.getOrDefault(id, 0);
  }

  /** The lines of the operation started last before this journal was opened. */
  List<JournalEntry> lastOperation() {
    return lastOperation;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void count(JournalEntry entry) {
    if (entry.event() == JournalEntry.Event.STARTED) {
      starts.merge(entry.id(), 1, Integer::sum);
    }
  }

  private static byte[] line(JournalEntry entry) throws IOException {
    return (JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static List<JournalEntry> compact(List<JournalEntry> entries) {
    List<JournalEntry> last = linesOfLast(entries);
    List<JournalEntry> earlier =
        entries.stream()
            .filter(entry -> entry.event() == JournalEntry.Event.STARTED)
            .filter(entry -> !last.contains(entry))
            .toList();
    List<JournalEntry> kept =
        new ArrayList<>(earlier.subList(Math.max(0, earlier.size() - REMEMBERED), earlier.size()));
    kept.addAll(last);
    return kept;
  }

  private static List<JournalEntry> linesOfLast(List<JournalEntry> entries) {
    Optional<JournalEntry> start =
        entries.reversed().stream()
            .filter(entry -> entry.event() == JournalEntry.Event.STARTED)
            .findFirst();
    return start
        .map(first -> entries.stream().filter(e -> e.id().equals(first.id())).toList())
        .orElse(List.of());
  }
}
