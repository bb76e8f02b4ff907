package dev.reprise.agent.operation;

import dev.reprise.agent.process.Launcher;
import dev.reprise.agent.process.ProcessIdentity;
import dev.reprise.agent.process.ProcessTree;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a restarted agent does about the operation of its predecessor. Survivors are found by the
 * process in the journal and by the mark in their environment, so also those that were started in
 * the instant between the journal's STARTED line and its CHILD line.
 */
final class Recovery {
  private static final Logger log = LoggerFactory.getLogger(Recovery.class);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Launcher launcher;
  private final Duration grace;

  Recovery(Launcher launcher, Duration grace) {
    this.launcher = launcher;
    this.grace = grace;
  }

  /** SIGINT, the grace period, SIGKILL. Returns when nothing is left. */
  void endSurvivors(List<JournalEntry> lines) throws IOException, InterruptedException {
    List<ProcessHandle> survivors = survivors(lines);
    if (survivors.isEmpty()) {
      return;
    }
    log.warn("ending what a former agent left running: {}", survivors);
    interrupt(lines, survivors);
    long deadline = System.nanoTime() + grace.toNanos();
    while (!survivors(lines).isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(POLL);
    }
    ProcessTree.kill(() -> survivors(lines));
  }

  private static void interrupt(List<JournalEntry> lines, List<ProcessHandle> survivors)
      throws IOException {
    boolean found = false;
    for (JournalEntry line : children(lines)) {
      if (line.process().alive()) {
        ProcessTree.interrupt(line.process(), line.group());
        found = true;
      }
    }
    if (!found) {
      for (ProcessHandle survivor : survivors) {
        ProcessTree.interrupt(ProcessIdentity.of(survivor.pid()), false);
      }
    }
  }

  private List<ProcessHandle> survivors(List<JournalEntry> lines) {
    List<ProcessHandle> found = new ArrayList<>(launcher.survivors());
    for (JournalEntry line : children(lines)) {
      if (line.process().alive()) {
        ProcessHandle.of(line.pid())
            .ifPresent(
                root -> {
                  found.add(root);
                  root.descendants().forEach(found::add);
                });
      }
    }
    return found;
  }

  private static List<JournalEntry> children(List<JournalEntry> lines) {
    return lines.stream().filter(line -> line.event() == JournalEntry.Event.CHILD).toList();
  }

  /** Whether a kept result is that of the operation the journal ends with. */
  boolean belongsTo(Operation operation, List<JournalEntry> lines) {
    return !lines.isEmpty() && lines.get(0).id().equals(operation.getId());
  }

  /** The operation the journal ends with, as one that has no result; journalled once. */
  Operation interrupted(Journal journal, Instant now) throws IOException {
    JournalEntry start = journal.lastOperation().get(0);
    JournalEntry end =
        journal.lastOperation().stream()
            .filter(line -> line.event() == JournalEntry.Event.INTERRUPTED)
            .findFirst()
            .orElse(
                new JournalEntry(
                    JournalEntry.Event.INTERRUPTED,
                    start.id(),
                    start.kind(),
                    now.toString(),
                    0,
                    0,
                    false));
    if (!journal.lastOperation().contains(end)) {
      journal.append(end);
    }
    return Operation.newBuilder()
        .setId(start.id())
        .setState(State.STATE_INTERRUPTED)
        .setKind(Kinds.kind(start.kind()))
        .setStartTime(ActiveOperation.timestamp(Instant.parse(start.time())))
        .setEndTime(ActiveOperation.timestamp(Instant.parse(end.time())))
        .build();
  }
}
