package dev.reprise.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The fields of {@code /proc/PID/stat} that matter here, see proc_pid_stat(5). Linux only. */
record ProcStat(long pid, boolean zombie, long group, long session, long startTime) {
  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int START_TIME = 19;

  /** Empty if the process is gone or the platform has no {@code /proc}. */
  static Optional<ProcStat> read(long pid) {
    try {
      return Optional.of(
          parse(pid, Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.UTF_8)));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static ProcStat parse(long pid, String text) {
    // The second field is the program's name in parentheses and may itself contain any character.
    String[] fields = text.substring(text.lastIndexOf(')') + 2).trim().split(" ", -1);
    return new ProcStat(
        pid,
        fields[STATE].equals("Z") || fields[STATE].equals("X"),
        Long.parseLong(fields[GROUP]),
        Long.parseLong(fields[SESSION]),
        Long.parseLong(fields[START_TIME]));
  }
}
