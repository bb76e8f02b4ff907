package dev.reprise.stack.source;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.jspecify.annotations.Nullable;

/** Sessions with the given key and nothing else: no file, agent or setting of this machine. */
final class SshSessions extends SshdSessionFactory {
  private static final File NOWHERE = new File("/nonexistent");

  private final List<KeyPair> keys;
  private final List<Path> knownHosts;
  private final HostKeys believed;

  /**
   * Sessions that begin with these keys.
   *
   * @param knownHosts files with the host keys to believe; none: those in {@code believed}
   */
  SshSessions(List<KeyPair> keys, List<Path> knownHosts, HostKeys believed) {
    super(null, null);
    this.keys = List.copyOf(keys);
    this.knownHosts = List.copyOf(knownHosts);
    this.believed = believed;
    setHomeDirectory(NOWHERE);
    setSshDirectory(NOWHERE);
  }

  /**
   * Reads a private key.
   *
   * @throws SourceUnavailable when it is none, or its passphrase does not open it
   */
  static List<KeyPair> keys(GitUrl address, GitCredentials.Ssh key) throws SourceUnavailable {
    List<KeyPair> keys = pairs("ssh", key.privateKey(), key.passphrase());
    if (keys.isEmpty()) {
      throw new SourceUnavailable(
          address.shown(),
          "cannot be opened: its ssh key is no private key in PEM or OpenSSH form, or its"
              + " passphrase is wrong");
    }
    return keys;
  }

  /** The key pairs in a text; none when it cannot be read. */
  static List<KeyPair> pairs(String name, String text, String passphrase) {
    byte[] bytes = (text.strip() + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      List<KeyPair> pairs = new ArrayList<>();
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(
              null,
              NamedResource.ofName(name),
              new ByteArrayInputStream(bytes),
              FilePasswordProvider.of(passphrase));
      if (found != null) {
        found.forEach(pairs::add);
      }
      return pairs;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // The exception may quote the key.
      return List.of();
    }
  }

  @Override
  protected Iterable<KeyPair> getDefaultKeys(File sshDirectory) {
    return keys;
  }

  @Override
  protected List<Path> getDefaultIdentities(File sshDirectory) {
    return List.of();
  }

  @Override
  protected @Nullable File getSshConfig(File sshDirectory) {
    return null;
  }

  @Override
  protected String getDefaultPreferredAuthentications() {
    return "publickey";
  }

  @Override
  protected List<Path> getDefaultKnownHostsFiles(File sshDirectory) {
    return knownHosts;
  }

  @Override
  protected ServerKeyDatabase createServerKeyDatabase(File homeDirectory, File sshDirectory) {
    return knownHosts.isEmpty()
        ? believed
        : super.createServerKeyDatabase(homeDirectory, sshDirectory);
  }
}
