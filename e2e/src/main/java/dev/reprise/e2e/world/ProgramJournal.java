package dev.reprise.e2e.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a program itself wrote about its runs, outside everything that could lose or double them: a
 * line when it begins and one when it ends, in the order of time.
 */
public final class ProgramJournal {
  /** Where programs find it in their pods. */
  public static final String MOUNT = "/journal";

  private final Path folder;

  /**
   * A journal in a folder of this machine that every user may write to.
   *
   * @param folder made if it is not there
   */
  public ProgramJournal(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One line.
   *
   * @param event {@code begin}, or {@code end} with the exit code as {@code end=0}
   * @param operation {@code up} and so on
   * @param id the operation's id
   */
  public record Line(String event, String operation, String id) {
    static Line parse(String text) {
      String[] words = text.split(" ", -1);
      if (words.length != 3) {
        throw new IllegalStateException(
            "a line of a journal that nobody can have written: " + text);
      }
      return new Line(words[0], words[1], words[2]);
    }
  }

  /** Its folder on this machine. */
  public Path folder() {
    return folder;
  }

  /** All lines so far; a line that is being written is left out. */
  public List<Line> lines() {
    Path file = folder.resolve("journal");
    try {
      if (!Files.exists(file)) {
        return List.of();
      }
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Line::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often an operation of a kind began. */
  public long begun(String operation) {
    return count("begin", operation);
  }

  /** How often an operation of a kind ended by itself, with whatever exit code. */
  public long ended(String operation) {
    return lines().stream()
        .filter(line -> line.operation().equals(operation) && line.event().startsWith("end="))
        .count();
  }

  private long count(String event, String operation) {
    return lines().stream()
        .filter(line -> line.operation().equals(operation) && line.event().equals(event))
        .count();
  }

  /**
   * Operations that began while another one had not ended. An operation whose program was killed
   * writes no end, and nothing of it is left: {@code killed} tells which those are.
   *
   * @param killed ids of operations whose program was killed
   */
  public List<String> overlapping(Set<String> killed) {
    List<String> overlapping = new ArrayList<>();
    Set<String> open = new LinkedHashSet<>();
    for (Line line : lines()) {
      if (line.event().equals("begin")) {
        open.removeAll(killed);
        if (!open.isEmpty()) {
          overlapping.add(line.id() + " beside " + open);
        }
        open.add(line.id());
      } else {
        open.remove(line.id());
      }
    }
    return overlapping;
  }

  /** Ids that began and wrote no end. */
  public List<String> unended() {
    List<Line> lines = lines();
    Set<String> ended =
        lines.stream()
            .filter(line -> !line.event().equals("begin"))
            .map(Line::id)
            .collect(Collectors.toSet());
    return lines.stream().map(Line::id).filter(id -> !ended.contains(id)).distinct().toList();
  }

  /** Ids that began more than once: the same operation done twice. */
  public List<String> doubled() {
    Set<String> seen = new HashSet<>();
    return lines().stream()
        .filter(line -> line.event().equals("begin"))
        .map(Line::id)
        .filter(id -> !seen.add(id))
        .toList();
  }

  /**
   * The text of a program that keeps the journal around a body.
   *
   * @param body shell commands, whose exit code is the program's
   */
  public static String program(String body) {
    return """
    #!/bin/sh
    # One write of one line: lines of two programs never mix.
    say() { echo "$1 $REPRISE_OPERATION $REPRISE_OPERATION_ID" >> %s/journal; }
    say begin
    trap 'say end=130; exit 130' INT
    (
    %s
    )
    code=$?
    say end=$code
    exit $code
    """
        .formatted(MOUNT, body.stripTrailing());
  }
}
