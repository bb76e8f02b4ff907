package dev.reprise.agent.process;

/** Receives a child's output line by line. */
@FunctionalInterface
public interface OutputListener {
  /** Which stream a line came from. */
  enum Source {
    STDOUT,
    STDERR
  }

  /** A line without its end; longer than {@link LineReader#LIMIT} it is cut. */
  void line(Source source, String line);
}
