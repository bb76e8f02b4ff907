package dev.reprise.agent.process;

import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps the first and the last lines of a text of any length. Safe for several threads. */
public final class BoundedText {
  private final int headLimit;
  private final int tailLimit;
  private final StringBuilder head = new StringBuilder();
  private final Deque<String> tail = new ArrayDeque<>();
  private int tailSize;
  private boolean headFull;
  private long leftOut;

  /** Limits in characters; each text may hold both. */
  public BoundedText(int headLimit, int tailLimit) {
    this.headLimit = headLimit;
    this.tailLimit = tailLimit;
  }

  /** Adds a line; only its beginning if it is longer than the tail may be. */
  public synchronized void add(String line) {
    if (!headFull && head.length() + line.length() < headLimit) {
      head.append(line).append('\n');
      return;
    }
    headFull = true;
    String kept = line.length() < tailLimit ? line : line.substring(0, tailLimit - 1);
    tail.addLast(kept);
    tailSize += kept.length() + 1;
    while (tailSize > tailLimit) {
      tailSize -= tail.removeFirst().length() + 1;
      leftOut++;
    }
  }

  /** The kept lines, with a note in the place of those left out. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder(head);
    if (leftOut > 0) {
      text.append("… (").append(leftOut).append(" lines left out)\n");
    }
    tail.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}
