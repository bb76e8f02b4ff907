package dev.reprise.e2e.engine;

import java.util.List;

/** Signals to processes of this machine. */
public final class Signals {
  private Signals() {}

  /**
   * Sends one.
   *
   * @param name such as {@code KILL} or {@code STOP}
   */
  public static void send(long pid, String name) {
    Commands.run(List.of("kill", "-" + name, Long.toString(pid)));
  }
}
