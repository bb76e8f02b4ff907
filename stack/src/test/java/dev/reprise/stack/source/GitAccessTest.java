package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.transport.URIish;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GitAccessTest {
  private static final KeyPair KEY = GitSshServer.rsa();

  @TempDir private Path dir;
  private final GitRevision revisions = new GitRevision(Duration.ofSeconds(20), false);

  @ParameterizedTest
  @ValueSource(strings = {"", "open sesame"})
  void anSshKeyOpensARepositoryWithOrWithoutItsPassphrase(String passphrase) throws Exception {
    String head = repository();
    try (GitSshServer server = GitSshServer.start(dir, KEY.getPublic(), 0)) {
      var key = new GitCredentials.Ssh(openSsh(KEY, passphrase), passphrase);
      assertThat(revisions.resolve(server.url(), "main", key)).isEqualTo(head);
    }
  }

  @Test
  void anEd25519KeyAndAPemKeyDoAsWell() throws Exception {
    String head = repository();
    KeyPair ed = SecurityUtils.getKeyPairGenerator("Ed25519").generateKeyPair();
    try (GitSshServer server = GitSshServer.start(dir, ed.getPublic(), 0)) {
      var key = new GitCredentials.Ssh(openSsh(ed, ""), "");
      assertThat(revisions.resolve(server.url(), "main", key)).isEqualTo(head);
    }
    try (GitSshServer server = GitSshServer.start(dir, KEY.getPublic(), 0)) {
      var key = new GitCredentials.Ssh(pem(KEY), "");
      assertThat(revisions.resolve(server.url(), "main", key)).isEqualTo(head);
    }
  }

  @Test
  void aWrongKeyABadKeyAndNoKeyAreToldApart() throws Exception {
    repository();
    try (GitSshServer server = GitSshServer.start(dir, KEY.getPublic(), 0)) {
      refused(server.url(), new GitCredentials.Ssh(pem(GitSshServer.rsa()), ""))
          .hasMessageContaining("refuses access");
      refused(server.url(), new GitCredentials.Ssh("no key", ""))
          .hasMessageContaining("no private key")
          .hasMessageNotContaining("no key\"");
      refused(server.url(), new GitCredentials.Ssh(openSsh(KEY, "right"), "wrong"))
          .hasMessageContaining("its passphrase is wrong");
      refused(server.url(), new GitCredentials.None()).hasMessageContaining("gitAuth.sshAuth");
      refused(server.url(), new GitCredentials.Token("t")).hasMessageContaining("gitAuth.sshAuth");
    }
    refused("https://127.0.0.1/x.git", new GitCredentials.Ssh(pem(KEY), ""))
        .hasMessageContaining("is not reached by ssh");
  }

  @Test
  void aHostThatShowsAnotherKeyThanBeforeIsNotBelieved() throws Exception {
    repository();
    var key = new GitCredentials.Ssh(pem(KEY), "");
    int port;
    try (GitSshServer server = GitSshServer.start(dir, KEY.getPublic(), 0)) {
      port = server.port();
      assertThat(revisions.resolve(server.url(), "main", key)).isNotEmpty();
    }
    try (GitSshServer other = GitSshServer.start(dir, KEY.getPublic(), port)) {
      refused(other.url(), key).hasMessageContaining("another host key");
    }
  }

  @Test
  void knownHostsFilesAreThoseOfTheVariable() {
    assertThat(HostKeys.files(Map.of())).isEmpty();
    assertThat(HostKeys.files(Map.of(HostKeys.VARIABLE, "/a:/b")))
        .containsExactly(Path.of("/a"), Path.of("/b"));
  }

  @Test
  void aGitHubAppGetsATokenAndUsesItAgain() throws Exception {
    List<String> calls = new CopyOnWriteArrayList<>();
    HttpServer api = api(calls, 201, Instant.now().plus(Duration.ofHours(1)));
    try {
      GitHubTokens tokens = new GitHubTokens();
      GitUrl url = url(api);
      var app = new GitCredentials.GitHubApp("7", "42", pem(KEY));
      assertThat(tokens.token(url, app)).isEqualTo("token-1");
      assertThat(tokens.token(url, app)).isEqualTo("token-1");
      assertThat(calls).hasSize(1);
      String[] call = calls.getFirst().split(" ", -1);
      assertThat(call[0]).isEqualTo("/api/v3/app/installations/42/access_tokens");
      String claims =
          new String(
              Base64.getUrlDecoder().decode(call[2].split("\\.", -1)[1]), StandardCharsets.UTF_8);
      assertThat(claims).contains("\"iss\":\"7\"");
    } finally {
      api.stop(0);
    }
  }

  @Test
  void aTokenThatEndsSoonIsReplacedAndARefusalNamesTheFields() throws Exception {
    List<String> calls = new CopyOnWriteArrayList<>();
    HttpServer api = api(calls, 201, Instant.now().plus(Duration.ofMinutes(4)));
    HttpServer refusing = api(calls, 401, Instant.now());
    try {
      GitHubTokens tokens = new GitHubTokens();
      var app = new GitCredentials.GitHubApp("7", "42", pem(KEY));
      assertThat(tokens.token(url(api), app)).isEqualTo("token-1");
      assertThat(tokens.token(url(api), app)).isEqualTo("token-2");
      assertThatThrownBy(() -> tokens.token(url(refusing), app))
          .isInstanceOf(SourceUnavailable.class)
          .hasMessageContaining("401")
          .hasMessageContaining("appID, installationID and privateKey");
      assertThatThrownBy(
              () -> tokens.token(url(api), new GitCredentials.GitHubApp("7", "42", "bad")))
          .hasMessageContaining("no RSA key");
    } finally {
      api.stop(0);
      refusing.stop(0);
    }
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ?> refused(
      String url, GitCredentials credentials) {
    return assertThatThrownBy(() -> revisions.resolve(url, "main", credentials))
        .isInstanceOf(SourceUnavailable.class);
  }

  private String repository() throws Exception {
    try (Git git = Git.init().setDirectory(dir.toFile()).setInitialBranch("main").call()) {
      return git.commit()
          .setMessage("first")
          .setAllowEmpty(true)
          .setSign(false)
          .setAuthor("a", "a@example.com")
          .setCommitter("a", "a@example.com")
          .call()
          .name();
    }
  }

  private static GitUrl url(HttpServer api) throws Exception {
    String url = "http://127.0.0.1:" + api.getAddress().getPort() + "/team/app.git";
    return new GitUrl(GitUrl.Transport.NETWORK, url, new URIish(url));
  }

  private static HttpServer api(List<String> calls, int code, Instant expiry) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          calls.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] body =
              "{\"token\":\"token-%d\",\"expires_at\":\"%s\"}"
                  .formatted(calls.size(), expiry)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String openSsh(KeyPair pair, String passphrase)
      throws IOException, GeneralSecurityException {
    OpenSSHKeyEncryptionContext encryption = null;
    if (!passphrase.isEmpty()) {
      encryption = new OpenSSHKeyEncryptionContext();
      encryption.setPassword(passphrase);
      encryption.setCipherType("256");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "test", encryption, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String pem(KeyPair pair) {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }
}
