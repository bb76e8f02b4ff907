package dev.reprise.agent.git;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.eclipse.jgit.transport.sshd.SshdSessionFactoryBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ssh side of a fetch: the one key that was given, never what lies in the home folder. With
 * known hosts given, any other host key is refused. Without them a host's key is taken as it comes
 * and its fingerprint logged: a new pod has never met the host, so there is nothing to compare
 * with.
 */
final class SshSessions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SshSessions.class);

  /** Stands for the home folder, so that nothing is read from or written to the real one. */
  private static final File NOWHERE = new File("/nonexistent");

  private final Optional<SshdSessionFactory> factory;

  private SshSessions(Optional<SshdSessionFactory> factory) {
    this.factory = factory;
  }

  /**
   * @throws IOException if the key cannot be read; the message says why without quoting it
   */
  static SshSessions of(GitCredentials credentials) throws IOException {
    if (!(credentials instanceof GitCredentials.SshKey key)) {
      return new SshSessions(Optional.empty());
    }
    List<KeyPair> pairs = parse(key);
    SshdSessionFactoryBuilder builder =
        new SshdSessionFactoryBuilder()
            .setHomeDirectory(NOWHERE)
            .setSshDirectory(NOWHERE)
            .setConfigStoreFactory((homeDir, config, user) -> null)
            .setPreferredAuthentications("publickey")
            .setDefaultIdentities(folder -> List.of())
            .setDefaultKeysProvider(folder -> pairs)
            .setDefaultKnownHostsFiles((File folder) -> key.knownHosts());
    if (key.knownHosts().isEmpty()) {
      builder.setServerKeyDatabase((homeDir, sshDir) -> new AnyHost());
    }
    return new SshSessions(Optional.of(builder.build(null)));
  }

  /** Reads a private key in OpenSSH's or in PEM format. */
  static List<KeyPair> parse(GitCredentials.SshKey key) throws IOException {
    // Secrets made by hand often lack the last line end, without which no reader finds the footer.
    byte[] text = (key.privateKey().strip() + "\n").getBytes(StandardCharsets.UTF_8);
    FilePasswordProvider passphrase =
        key.passphrase().isEmpty()
            ? FilePasswordProvider.EMPTY
            : FilePasswordProvider.of(key.passphrase());
    List<KeyPair> pairs = new ArrayList<>();
    try (InputStream in = new ByteArrayInputStream(text)) {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(
              null, NamedResource.ofName("the private key"), in, passphrase);
      if (found != null) {
        found.forEach(pairs::add);
      }
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new IOException(unreadable(key), e);
    }
    if (pairs.isEmpty()) {
      throw new IOException(unreadable(key));
    }
    return pairs;
  }

  private static String unreadable(GitCredentials.SshKey key) {
    return "git: the ssh private key cannot be read: it must be the whole text of a private key"
        + " file, and "
        + (key.passphrase().isEmpty()
            ? "one with a passphrase needs that as its password"
            : "the password must be its passphrase");
  }

  /** Makes a transport sign in with the key, if it is one over ssh. */
  void use(Transport transport) {
    if (transport instanceof SshTransport ssh) {
      factory.ifPresent(ssh::setSshSessionFactory);
    }
  }

  @Override
  public void close() {
    factory.ifPresent(SshdSessionFactory::close);
  }

  /** Takes the key of any host. */
  private static final class AnyHost implements ServerKeyDatabase {
    @Override
    public List<PublicKey> lookup(
        String address, InetSocketAddress remote, Configuration configuration) {
      return List.of();
    }

    @Override
    public boolean accept(
        String address,
        InetSocketAddress remote,
        PublicKey serverKey,
        Configuration configuration,
        @Nullable CredentialsProvider provider) {
      log.info(
          "no known hosts are given: taking the key {} of {} as it comes",
          KeyUtils.getFingerPrint(serverKey),
          address);
      return true;
    }
  }
}
