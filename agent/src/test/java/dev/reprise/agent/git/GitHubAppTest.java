package dev.reprise.agent.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jgit.transport.URIish;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GitHubAppTest {
  private static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");
  private static final KeyPair KEY = SshGitServer.newKey("ssh-rsa", 2048);

  private final HttpServer gitHub =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile int status = 201;
  private volatile String answer = "{\"token\": \"ghs_canary\"}";

  GitHubAppTest() throws IOException {
    gitHub.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    gitHub.start();
  }

  @AfterEach
  void stop() {
    gitHub.stop(0);
  }

  private String api() {
    return "http://127.0.0.1:" + gitHub.getAddress().getPort() + "/api/v3";
  }

  private Map<String, String> environment() {
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(KEY.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    return Map.of(
        "GIT_GITHUB_APP_ID",
        "4711\n",
        "GIT_GITHUB_APP_INSTALLATION_ID",
        "815",
        "GIT_GITHUB_APP_PRIVATE_KEY",
        pem,
        GitEnvironment.GITHUB_API,
        api() + "/");
  }

  private static GitCredentials credentials(Map<String, String> environment)
      throws IOException, InterruptedException {
    return new GitEnvironment(environment).credentials("https://github.com/a/b", () -> NOW);
  }

  private static IOException refusal(Map<String, String> environment) {
    return catchThrowableOfType(IOException.class, () -> credentials(environment));
  }

  @Test
  void aSignedTokenOfTheAppIsChangedForOneOfItsInstallation() throws Exception {
    GitCredentials found = credentials(environment());

    assertThat(found).isEqualTo(new GitCredentials.Basic("x-access-token", "ghs_canary"));
    assertThat(found.toString()).doesNotContain("canary");
    String[] words = requests.getFirst().split(" ", -1);
    assertThat(words).startsWith("POST", "/api/v3/app/installations/815/access_tokens", "Bearer");
    String[] parts = words[3].split("\\.", -1);
    JsonNode claims = new ObjectMapper().readTree(Base64.getUrlDecoder().decode(parts[1]));
    assertThat(claims.path("iss").asText()).isEqualTo("4711");
    assertThat(claims.path("iat").asLong()).isEqualTo(NOW.getEpochSecond() - 60);
    assertThat(claims.path("exp").asLong()).isEqualTo(NOW.getEpochSecond() + 600);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(KEY.getPublic());
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"401, private key", "404, installation id", "403, suspended", "500, HTTP 500"})
  void aRefusalSaysWhichValueToLookAt(int code, String advice) {
    status = code;
    answer = "{\"message\": \"no\"}";

    assertThat(refusal(environment())).hasMessageContaining(advice).hasMessageContaining("4711");
  }

  @Test
  void aMissingValueIsNamed() {
    Map<String, String> partly = new HashMap<>(environment());
    partly.remove("GIT_GITHUB_APP_INSTALLATION_ID");

    assertThat(refusal(partly)).hasMessageContaining("GIT_GITHUB_APP_INSTALLATION_ID is missing");
  }

  @Test
  void whatIsNoKeyIsNamedAndNotShown() {
    Map<String, String> bad = new HashMap<>(environment());
    bad.put("GIT_GITHUB_APP_PRIVATE_KEY", "canary");

    assertThat(refusal(bad))
        .hasMessageContaining("private key of the GitHub App cannot be read")
        .hasMessageNotContaining("canary");
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "https://github.com/a/b, https://api.github.com",
    "https://git.example.org/a/b.git, https://git.example.org/api/v3",
    "git@github.com:a/b.git, https://api.github.com",
  })
  void theApiBelongsToTheHost(String repository, URI api) throws Exception {
    assertThat(GitHubApp.apiOf(new URIish(repository))).isEqualTo(api);
  }
}
