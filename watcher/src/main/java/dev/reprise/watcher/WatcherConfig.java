package dev.reprise.watcher;

import java.time.Duration;

/**
 * How a watcher works.
 *
 * @param cluster names the cluster among those that share the Temporal namespace; part of the task
 *     queue's name
 * @param namespace the namespace to watch; "" = all
 * @param resyncInterval how often all Stacks are listed
 * @param callLimit how long one call to Temporal may take, retries of its client included
 */
public record WatcherConfig(
    String cluster, String namespace, Duration resyncInterval, Duration callLimit) {

  /** All namespaces, a list every 5 minutes, 30 seconds for a call. */
  public static WatcherConfig of(String cluster) {
    return new WatcherConfig(cluster, "", Duration.ofMinutes(5), Duration.ofSeconds(30));
  }

  /** The same with another interval between lists. */
  public WatcherConfig withResyncInterval(Duration interval) {
    return new WatcherConfig(cluster, namespace, interval, callLimit);
  }

  /** The same for one namespace. */
  public WatcherConfig withNamespace(String only) {
    return new WatcherConfig(cluster, only, resyncInterval, callLimit);
  }
}
