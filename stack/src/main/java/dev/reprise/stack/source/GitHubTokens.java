package dev.reprise.stack.source;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jgit.transport.URIish;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tokens of GitHub App installations, each used until five minutes before its end
 * (https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app).
 */
final class GitHubTokens {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration BEFORE_EXPIRY = Duration.ofMinutes(5);

  /** GitHub takes no longer life; it begins a minute back, for clocks that differ. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  private static final Duration BACK = Duration.ofMinutes(1);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final Map<Key, Token> tokens = new ConcurrentHashMap<>();

  private record Key(String api, GitCredentials.GitHubApp app) {}

  private record Token(String value, Instant expiry) {
    boolean fresh() {
      return Instant.now().plus(BEFORE_EXPIRY).isBefore(expiry);
    }
  }

  /**
   * A token for a repository.
   *
   * @throws SourceUnavailable when GitHub gives none
   */
  String token(GitUrl address, GitCredentials.GitHubApp app) throws SourceUnavailable {
    Key key = new Key(api(address.uri()), app);
    Token known = tokens.get(key);
    if (known != null && known.fresh()) {
      return known.value();
    }
    tokens.values().removeIf(token -> !token.fresh());
    Token fresh = ask(address, key);
    tokens.put(key, fresh);
    return fresh.value();
  }

  /** GitHub itself has a host for its API, an own server of somebody a path. */
  private static String api(URIish uri) {
    String host = String.valueOf(uri.getHost());
    if (host.equalsIgnoreCase("github.com") || host.equalsIgnoreCase("www.github.com")) {
      return "https://api.github.com";
    }
    String port = uri.getPort() > 0 ? ":" + uri.getPort() : "";
    return uri.getScheme() + "://" + host + port + "/api/v3";
  }

  private Token ask(GitUrl address, Key key) throws SourceUnavailable {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(
                      key.api()
                          + "/app/installations/"
                          + key.app().installationId().strip()
                          + "/access_tokens"))
              .timeout(LIMIT)
              .header("Authorization", "Bearer " + jwt(address, key.app()))
              .header("Accept", "application/vnd.github+json")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return token(address, answer);
    } catch (IllegalArgumentException e) {
      throw refused(address, "the installation ID is no number");
    } catch (IOException e) {
      throw new SourceUnavailable(address.shown(), "GitHub's API cannot be reached for a token");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceUnavailable(address.shown(), "was not waited for");
    }
  }

  private static Token token(GitUrl address, HttpResponse<String> answer) throws SourceUnavailable {
    if (answer.statusCode() / 100 == 5) {
      throw new SourceUnavailable(
          address.shown(), "GitHub's API fails (%d)".formatted(answer.statusCode()));
    }
    if (answer.statusCode() != 201) {
      throw refused(address, "GitHub answers " + answer.statusCode());
    }
    try {
      JsonNode token = JsonMapper.shared().readTree(answer.body());
      return new Token(
          token.path("token").asString(""), Instant.parse(token.path("expires_at").asString("")));
    } catch (JacksonException | DateTimeParseException e) {
      throw new SourceUnavailable(address.shown(), "GitHub's answer cannot be understood");
    }
  }

  private static SourceUnavailable refused(GitUrl address, String why) {
    return new SourceUnavailable(
        address.shown(),
        "the GitHub App gets no token (%s): check appID, installationID and privateKey"
            .formatted(why));
  }

  private static String jwt(GitUrl address, GitCredentials.GitHubApp app) throws SourceUnavailable {
    List<KeyPair> keys = SshSessions.pairs("privateKey", app.privateKey(), "");
    if (keys.isEmpty()) {
      throw refused(address, "the private key is no RSA key in PEM form");
    }
    Instant start = Instant.now().minus(BACK);
    String claims =
        JsonMapper.shared()
            .writeValueAsString(
                Map.of(
                    "iat", start.getEpochSecond(),
                    "exp", start.plus(LIFE).getEpochSecond(),
                    "iss", app.appId().strip()));
    String text = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + base64(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getFirst().getPrivate());
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw refused(address, "the private key is no RSA key");
    }
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
