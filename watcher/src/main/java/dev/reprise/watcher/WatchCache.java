package dev.reprise.watcher;

import java.util.Map;
import java.util.Optional;

/** What the watch has seen so far. */
interface WatchCache {
  /** The resource version by uid; empty while there is no complete cache to compare with. */
  Optional<Map<String, String>> versions();

  /** Ends the present watch, so that a new one is made. */
  void restart();
}
