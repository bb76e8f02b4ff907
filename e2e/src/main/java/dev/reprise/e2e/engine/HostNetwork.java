package dev.reprise.e2e.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bridge of this machine with an own network behind it: the host is its address 1, pods have the
 * others. Several runs on one machine have one each, by a lock that ends with the process; what an
 * earlier holder left is removed. Needs root and iproute2.
 */
public final class HostNetwork implements AutoCloseable {
  private static final int MOST = 9;

  private final int index;
  private final FileChannel lock;

  private HostNetwork(int index, FileChannel lock) {
    this.index = index;
    this.lock = lock;
  }

  /** Takes the first free one and makes its bridge. Engines that a killed run left are ended. */
  public static HostNetwork open() {
    Orphans.end();
    for (int index = 0; index <= MOST; index++) {
      HostNetwork network = tryLock(index);
      if (network != null) {
        network.clear();
        network.make();
        return network;
      }
    }
    throw new IllegalStateException("all " + (MOST + 1) + " networks for end-to-end runs are used");
  }

  private static @Nullable HostNetwork tryLock(int index) {
    try {
      FileChannel channel =
          FileChannel.open(
              Path.of("/run/reprise-e2e-" + index + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      FileLock held = channel.tryLock();
      if (held == null) {
        channel.close();
        return null;
      }
      return new HostNetwork(index, channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its name: the bridge's, and the start of the names of all that belongs to it. */
  public String name() {
    return "rpe2e" + index;
  }

  /** The host's address, at which pods find what runs on the host. */
  public String host() {
    return address(1);
  }

  /**
   * An address of the network.
   *
   * @param number 1 is the host, 2 to 254 are free for pods
   */
  public String address(int number) {
    return "10.77." + index + "." + number;
  }

  private void make() {
    // An address of its own, or it would take that of a pod and change with the pods.
    ip("link", "add", name(), "address", "02:77:00:00:00:0" + index, "type", "bridge");
    ip("addr", "add", host() + "/24", "dev", name());
    ip("link", "set", name(), "up");
  }

  /**
   * Removes the bridge, and the network namespaces whose name starts with its name with all that
   * runs in them.
   */
  private void clear() {
    namespaces().forEach(HostNetwork::remove);
    if (Files.exists(Path.of("/sys/class/net", name()))) {
      ip("link", "delete", name());
    }
  }

  /** Removes a network namespace and ends all that runs in it. */
  public static void remove(String namespace) {
    Commands.run(List.of("ip", "netns", "pids", namespace))
        .lines()
        .forEach(pid -> Commands.tried(Map.of(), "", List.of("kill", "-KILL", pid)));
    ip("netns", "delete", namespace);
  }

  private List<String> namespaces() {
    return Commands.run(List.of("ip", "netns", "list"))
        .lines()
        .map(line -> line.split(" ", -1)[0])
        .filter(namespace -> namespace.startsWith(name() + "-"))
        .toList();
  }

  /** Runs {@code ip} with these arguments. */
  public static String ip(String... arguments) {
    return Commands.run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toList());
  }

  @Override
  public void close() {
    clear();
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
