package dev.reprise.watcher;

/** Wakes the run of a Stack, starting one when none is open. */
interface RunStarter {

  /**
   * Delivers a desire. May block for as long as the implementation's limit; safe to repeat.
   *
   * @throws InterruptedException when the watcher ends
   */
  Delivery deliver(Desire desire) throws InterruptedException;

  /** What came of a delivery. */
  sealed interface Delivery {

    /** The run has the signal. */
    record Delivered() implements Delivery {}

    /** Temporal refuses this one; others are not concerned. */
    record Refused(String why) implements Delivery {}

    /** Temporal cannot be reached or does not serve now; the next call would fare the same. */
    record Unreachable(String why) implements Delivery {}
  }
}
