package dev.reprise.stack.source;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.List;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.transport.UploadPack;

/** One repository behind an ssh server on loopback, open to one key. */
final class GitSshServer implements AutoCloseable {
  private final SshServer server = SshServer.setUpDefaultServer();

  private GitSshServer(Path repository, PublicKey allowed, int port) {
    server.setHost("127.0.0.1");
    server.setPort(port);
    KeyPair host = rsa();
    server.setKeyPairProvider(session -> List.of(host));
    server.setPublickeyAuthenticator(
        (user, key, session) -> user.equals("git") && KeyUtils.compareKeys(key, allowed));
    server.setCommandFactory((channel, command) -> new Upload(command, repository));
  }

  /** With a host key of its own; port 0 is any free one. */
  static GitSshServer start(Path repository, PublicKey allowed, int port) throws IOException {
    GitSshServer started = new GitSshServer(repository, allowed, port);
    started.server.start();
    return started;
  }

  static KeyPair rsa() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  int port() {
    return server.getPort();
  }

  String url() {
    return "ssh://git@127.0.0.1:" + port() + "/repository.git";
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
      } catch (IOException | RuntimeException e) {
        onExit(1, String.valueOf(e.getMessage()));
      }
    }
  }
}
