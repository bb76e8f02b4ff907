package dev.reprise.e2e.pod;

import static dev.reprise.e2e.engine.HostNetwork.ip;

import dev.reprise.e2e.engine.HostNetwork;
import java.util.BitSet;

/** Networks of pods, and the addresses that are free. */
final class PodNetworks {
  private static final int FIRST = 2;
  private static final int LAST = 254;

  private final HostNetwork host;
  private final BitSet used = new BitSet();
  private int next = FIRST;

  PodNetworks(HostNetwork host) {
    this.host = host;
  }

  /**
   * The network of one pod.
   *
   * @param namespace its network namespace, also the name of the host's end of its cable
   * @param number its address's place among the addresses of the bridge
   * @param address its address
   */
  record PodNetwork(String namespace, int number, String address) {

    /** Cuts it off. */
    void cut() {
      ip("link", "set", namespace, "down");
    }

    /** Joins it again. */
    void join() {
      ip("link", "set", namespace, "up");
    }
  }

  /** Makes the network of a pod. */
  PodNetwork attach(String podUid) {
    // The most that the name of a link may have is 15 characters.
    String namespace = host.name() + "-" + podUid.replace("-", "").substring(0, 8);
    PodNetwork network = pick(namespace);
    ip("netns", "add", namespace);
    try {
      ip("link", "add", namespace, "type", "veth", "peer", "name", "eth0", "netns", namespace);
      ip("link", "set", namespace, "master", host.name(), "up");
      ip("-n", namespace, "addr", "add", network.address() + "/24", "dev", "eth0");
      ip("-n", namespace, "link", "set", "lo", "up");
      ip("-n", namespace, "link", "set", "eth0", "up");
      ip("-n", namespace, "route", "add", "default", "via", host.host());
      return network;
    } catch (IllegalStateException e) {
      detach(network);
      throw e;
    }
  }

  /** Removes it, and whatever should still run in it. */
  void detach(PodNetwork network) {
    HostNetwork.remove(network.namespace());
    release(network.number());
  }

  private PodNetwork pick(String namespace) {
    int number = take();
    return new PodNetwork(namespace, number, host.address(number));
  }

  private synchronized void release(int number) {
    used.clear(number);
  }

  /** The next in a circle, because others may remember who had an address a moment ago. */
  private synchronized int take() {
    for (int tried = FIRST; tried <= LAST; tried++) {
      int number = next;
      next = number == LAST ? FIRST : number + 1;
      if (!used.get(number)) {
        used.set(number);
        return number;
      }
    }
    throw new IllegalStateException("all addresses of " + host.name() + " are used");
  }
}
