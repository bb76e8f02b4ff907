package dev.reprise.watcher;

import dev.reprise.stack.spec.Policy;
import java.time.Duration;

/**
 * How a watcher works.
 *
 * @param cluster names the cluster among those that share the Temporal namespace; part of the task
 *     queue's name
 * @param namespace the namespace to watch; "" = all
 * @param resyncInterval how often all Stacks are listed
 * @param callLimit how long one call to Temporal may take, retries of its client included
 * @param inputs whether Secrets and ConfigMaps that Stacks refer to are watched; without, a change
 *     is found when a Stack looks for another reason, once a day at the latest
 * @param defaults the policy of Stacks that ask for nothing of their own, the same as the workers'
 */
public record WatcherConfig(
    String cluster,
    String namespace,
    Duration resyncInterval,
    Duration callLimit,
    boolean inputs,
    Policy defaults) {

  /** All namespaces, a list every 5 minutes, 30 seconds for a call, the built-in policy. */
  public static WatcherConfig of(String cluster) {
    return new WatcherConfig(
        cluster, "", Duration.ofMinutes(5), Duration.ofSeconds(30), true, Policy.DEFAULTS);
  }

  /** The same with another interval between lists. */
  public WatcherConfig withResyncInterval(Duration interval) {
    return new WatcherConfig(cluster, namespace, interval, callLimit, inputs, defaults);
  }

  /** The same for one namespace. */
  public WatcherConfig withNamespace(String only) {
    return new WatcherConfig(cluster, only, resyncInterval, callLimit, inputs, defaults);
  }

  /** The same with other defaults of the policy. */
  public WatcherConfig withDefaults(Policy other) {
    return new WatcherConfig(cluster, namespace, resyncInterval, callLimit, inputs, other);
  }

  /** The same, watching Secrets and ConfigMaps or not. */
  public WatcherConfig withInputs(boolean watched) {
    return new WatcherConfig(cluster, namespace, resyncInterval, callLimit, watched, defaults);
  }
}
