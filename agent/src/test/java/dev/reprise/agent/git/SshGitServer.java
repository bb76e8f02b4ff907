package dev.reprise.agent.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.List;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.transport.UploadPack;

/** A git server over ssh that knows one repository and one user's key. */
final class SshGitServer implements AutoCloseable {
  final KeyPair hostKey = newKey("ecdsa-sha2-nistp256", 256);
  private final SshServer server = SshServer.setUpDefaultServer();

  SshGitServer(Path repository, KeyPair userKey) throws IOException {
    server.setHost("127.0.0.1");
    server.setKeyPairProvider(session -> List.of(hostKey));
    server.setPublickeyAuthenticator(
        (name, key, session) -> KeyUtils.compareKeys(key, userKey.getPublic()));
    server.setCommandFactory((channel, command) -> new Upload(command, repository));
    server.start();
  }

  String url() {
    return "ssh://git@127.0.0.1:" + server.getPort() + "/repository";
  }

  /** A line of a known_hosts file. */
  String knownAs(KeyPair key) {
    return "[127.0.0.1]:"
        + server.getPort()
        + " "
        + PublicKeyEntry.toString(key.getPublic())
        + "\n";
  }

  static KeyPair newKey(String type, int size) {
    try {
      return KeyUtils.generateKeyPair(type, size);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As ssh-keygen writes it. */
  static String text(KeyPair key, String passphrase) throws IOException, GeneralSecurityException {
    OpenSSHKeyEncryptionContext encryption = new OpenSSHKeyEncryptionContext();
    encryption.setPassword(passphrase);
    encryption.setCipherType("256");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(
        key, "test", passphrase.isEmpty() ? null : encryption, out);
    return out.toString(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    server.stop(true);
  }

  private static final class Upload extends AbstractCommandSupport {
    private final Path repository;

    Upload(String command, Path repository) {
      super(command, null);
      this.repository = repository;
    }

    @Override
    public void run() {
      try (Git git = Git.open(repository.toFile())) {
        new UploadPack(git.getRepository())
            .upload(getInputStream(), getOutputStream(), getErrorStream());
        onExit(0);
      } catch (IOException e) {
        onExit(1, e.toString());
      }
    }
  }
}
