package dev.reprise.agent.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Locks of Pulumi's self-managed backends whose holder is dead. A CLI that is killed leaves its
 * lock behind, and nothing but {@code pulumi cancel} ever removes it. Its text names user, host and
 * process (seen with Pulumi 3.274): one of this host, which in a pod is the pod, whose process is
 * gone can be removed without harm to anybody.
 *
 * @param host the name of this host as the CLI sees it; empty: unknown, then no lock is dead
 * @param runs whether a process of this host with this id may be a Pulumi CLI
 */
record DeadLocks(String host, LongPredicate runs) {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Pattern LOCKED =
      Pattern.compile("is currently locked by (\\d+) lock\\(s\\)");
  private static final Pattern HOLDER =
      Pattern.compile("created by \\S*@(\\S+) \\(pid (\\d+)\\) at ");

  /** Those of this machine. */
  static DeadLocks here() throws IOException {
    String host = Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "";
    return new DeadLocks(host, DeadLocks::maybePulumi);
  }

  /** A process that cannot be looked at may be one. */
  private static boolean maybePulumi(long pid) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(process -> process.info().command().map(c -> c.endsWith("/pulumi")).orElse(true))
        .orElse(false);
  }

  /** Whether a failure tells of locks, and every one of them is dead. */
  boolean all(String failure) {
    Matcher locked = LOCKED.matcher(failure);
    if (host.isEmpty() || !locked.find()) {
      return false;
    }
    int dead = 0;
    Matcher holder = HOLDER.matcher(failure);
    while (holder.find()) {
      if (!host.equals(holder.group(1)) || runs.test(pid(holder.group(2)))) {
        return false;
      }
      dead++;
    }
    return dead == pid(locked.group(1));
  }

  private static long pid(String digits) {
    return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
