package dev.reprise.agent.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GitEnvironmentTest {
  @TempDir Path folder;

  private static GitCredentials credentials(Map<String, String> environment)
      throws IOException, InterruptedException {
    return new GitEnvironment(environment).credentials("https://x.example/r", () -> Instant.EPOCH);
  }

  @Test
  void theFirstThatIsThereIsUsed() throws Exception {
    assertThat(credentials(Map.of("GIT_TOKEN", "", "GIT_PASSWORD", "")))
        .isEqualTo(new GitCredentials.None());
    assertThat(credentials(Map.of("GIT_USERNAME", "u", "GIT_PASSWORD", "p\n")))
        .isEqualTo(new GitCredentials.Basic("u", "p"));
    assertThat(credentials(Map.of("GIT_TOKEN", " t ", "GIT_PASSWORD", "p")))
        .isEqualTo(new GitCredentials.Token("t"));
    assertThat(credentials(Map.of("GIT_TOKEN", "t", "GIT_USERNAME", "u")))
        .isEqualTo(new GitCredentials.Basic("u", "t"));
    assertThat(
            credentials(
                Map.of(
                    "GIT_SSH_PRIVATE_KEY",
                    "k",
                    "GIT_PASSWORD",
                    "p",
                    "GIT_TOKEN",
                    "t",
                    "HOME",
                    "/nowhere")))
        .isInstanceOfSatisfying(
            GitCredentials.SshKey.class,
            key -> {
              assertThat(key.privateKey()).isEqualTo("k");
              assertThat(key.passphrase()).isEqualTo("p");
            });
  }

  @Test
  void knownHostsOfTheEnvironmentOrTheHomeFolderAreTaken() throws Exception {
    Path own = Files.createFile(folder.resolve("hosts"));
    Path home = Files.createDirectories(folder.resolve(".ssh")).resolve("known_hosts");
    Files.createFile(home);

    assertThat(
            credentials(
                Map.of("GIT_SSH_PRIVATE_KEY", "k", GitEnvironment.KNOWN_HOSTS, own.toString())))
        .isEqualTo(new GitCredentials.SshKey("k", "", List.of(own)));
    assertThat(credentials(Map.of("GIT_SSH_PRIVATE_KEY", "k", "HOME", folder.toString())))
        .isInstanceOfSatisfying(
            GitCredentials.SshKey.class, key -> assertThat(key.knownHosts()).contains(home));
    assertThatThrownBy(
            () ->
                credentials(
                    Map.of("GIT_SSH_PRIVATE_KEY", "k", GitEnvironment.KNOWN_HOSTS, "/nowhere")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("SSH_KNOWN_HOSTS names /nowhere");
  }

  @Test
  void aTokenIsSentOverHttp() throws Exception {
    List<String> sent = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/r.git";
      GitSource source =
          new GitSource(url, "main", "", true, credentials(Map.of("GIT_TOKEN", "canary")));

      assertThatThrownBy(() -> source.fetch(folder.resolve("t"), Duration.ofSeconds(30)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not authorized")
          .hasMessageNotContaining("canary");
      assertThat(sent)
          .contains(
              "Basic "
                  + Base64.getEncoder()
                      .encodeToString("git:canary".getBytes(StandardCharsets.UTF_8)));
    } finally {
      server.stop(0);
    }
  }
}
