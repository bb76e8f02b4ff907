package dev.reprise.e2e.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Engines whose run was killed. Each engine carries in its environment which process started it; a
 * new run ends those whose starter is gone.
 */
final class Orphans {
  private static final String VARIABLE = "REPRISE_E2E_STARTED_BY";

  private Orphans() {}

  /** The variable that says that this process started an engine. */
  static Map<String, String> mark() {
    return Map.of(VARIABLE, identity(ProcessHandle.current()));
  }

  /** Ends all engines of runs that are no more. */
  static void end() {
    ProcessHandle.allProcesses()
        .filter(process -> starter(process).filter(Orphans::gone).isPresent())
        .forEach(ProcessHandle::destroyForcibly);
  }

  private static boolean gone(String identity) {
    long pid = Long.parseLong(identity.substring(0, identity.indexOf('-')));
    return ProcessHandle.of(pid).filter(process -> identity(process).equals(identity)).isEmpty();
  }

  private static String identity(ProcessHandle process) {
    return process.pid()
        + "-"
        + process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }

  /** Empty for processes of others, and for those that end at this moment. */
  private static Optional<String> starter(ProcessHandle process) {
    try {
      String environment =
          Files.readString(
              Path.of("/proc", Long.toString(process.pid()), "environ"),
              StandardCharsets.ISO_8859_1);
      return Arrays.stream(environment.split("\0", -1))
          .filter(variable -> variable.startsWith(VARIABLE + "="))
          .map(variable -> variable.substring(VARIABLE.length() + 1))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
