package dev.reprise.stack.source;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.jspecify.annotations.Nullable;

/**
 * The host keys that are believed. With {@value #VARIABLE}, those in the files it names and no
 * other; without, the first that a host shows, for as long as this process lives: Stack manifests
 * have no place for host keys, and the Pulumi Kubernetes Operator asks for none.
 */
final class HostKeys implements ServerKeyDatabase {
  /** Files in OpenSSH's {@code known_hosts} form, separated by colons. */
  static final String VARIABLE = "SSH_KNOWN_HOSTS";

  private final Map<String, PublicKey> believed = new ConcurrentHashMap<>();

  /** The files that {@value #VARIABLE} names; none: whatever is shown first is believed. */
  static List<Path> files(Map<String, String> environment) {
    return Stream.of(environment.getOrDefault(VARIABLE, "").split(":", -1))
        .filter(file -> !file.isBlank())
        .map(Path::of)
        .toList();
  }

  @Override
  public List<PublicKey> lookup(
      String connectAddress, InetSocketAddress remoteAddress, Configuration config) {
    PublicKey key = believed.get(connectAddress);
    return key == null ? List.of() : List.of(key);
  }

  @Override
  public boolean accept(
      String connectAddress,
      InetSocketAddress remoteAddress,
      PublicKey serverKey,
      Configuration config,
      @Nullable CredentialsProvider provider) {
    return serverKey.equals(believed.computeIfAbsent(connectAddress, host -> serverKey));
  }
}
