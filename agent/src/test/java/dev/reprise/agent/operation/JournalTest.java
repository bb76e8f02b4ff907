package dev.reprise.agent.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
  @TempDir Path state;

  private static JournalEntry entry(JournalEntry.Event event, String id) {
    return new JournalEntry(event, id, "up", "2026-01-01T00:00:00Z", 0, 0, false);
  }

  private void append(JournalEntry.Event event, String... ids) throws IOException {
    try (Journal journal = Journal.open(state)) {
      for (String id : ids) {
        journal.append(entry(event, id));
      }
    }
  }

  @Test
  void startsAreCountedAcrossRestarts() throws Exception {
    append(JournalEntry.Event.STARTED, "a", "b");

    try (Journal journal = Journal.open(state)) {
      assertThat(journal.starts("a")).isEqualTo(1);
      assertThat(journal.starts("never")).isZero();
      assertThat(journal.lastOperation()).extracting(JournalEntry::id).containsExactly("b");
    }
  }

  @Test
  void openingKeepsTheLastOperationWholeAndOfTheOthersOnlyTheirStart() throws Exception {
    append(JournalEntry.Event.STARTED, "a");
    append(JournalEntry.Event.FINISHED, "a");
    append(JournalEntry.Event.STARTED, "b");
    append(JournalEntry.Event.FINISHED, "b");

    Journal.open(state).close();

    assertThat(Journal.read(state))
        .containsExactly(
            entry(JournalEntry.Event.STARTED, "a"),
            entry(JournalEntry.Event.STARTED, "b"),
            entry(JournalEntry.Event.FINISHED, "b"));
  }

  @Test
  void itStaysSmall() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < Journal.REMEMBERED + 50; i++) {
      lines.append("{\"event\":\"STARTED\",\"id\":\"id-").append(i);
      lines.append("\",\"kind\":\"up\",\"time\":\"2026-01-01T00:00:00Z\"}\n");
    }
    Files.writeString(state.resolve(Journal.FILE), lines);

    try (Journal journal = Journal.open(state)) {
      assertThat(Journal.read(state)).hasSize(Journal.REMEMBERED + 1);
      assertThat(journal.starts("id-60")).isEqualTo(1);
    }
  }

  @Test
  void aLineCutOffByACrashIsSkippedAndTheNextOneIsWhole() throws Exception {
    append(JournalEntry.Event.STARTED, "a");
    Files.writeString(state.resolve(Journal.FILE), "{\"event\":\"STAR", StandardOpenOption.APPEND);

    append(JournalEntry.Event.STARTED, "b");

    assertThat(Journal.read(state)).extracting(JournalEntry::id).containsExactly("a", "b");
  }

  @Test
  void onlyTheOwnerCanReadIt() throws Exception {
    append(JournalEntry.Event.STARTED, "a");

    assertThat(Files.getPosixFilePermissions(state.resolve(Journal.FILE)))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }
}
