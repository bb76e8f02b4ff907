package dev.reprise.watcher;

import dev.reprise.stack.source.SourceUnavailable;
import java.time.Duration;

/**
 * How to ask what a source points at now.
 *
 * @param key equal for Stacks that can share an answer: repository, ref and credential
 * @param interval how often to ask
 * @param ask the question; may block, within limits of its own
 */
record SourceQuery(Object key, Duration interval, Ask ask) {

  /** Asks a source. */
  @FunctionalInterface
  interface Ask {
    /** The revision, in the form in which {@code status.retry.last.revision} records it. */
    String revision() throws SourceUnavailable;
  }
}
