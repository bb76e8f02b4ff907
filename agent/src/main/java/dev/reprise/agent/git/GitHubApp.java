package dev.reprise.agent.git;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jgit.transport.URIish;

/**
 * An installed GitHub App. It proves itself with a JSON Web Token signed by its key and gets an
 * access token of its installation for that, which is valid for an hour.
 *
 * @param appId the app's number or client id
 * @param installationId the number of the installation in the organisation
 * @param privateKey the app's RSA key in PEM format
 * @param api the REST API, {@code https://api.github.com} or that of an Enterprise server
 */
public record GitHubApp(String appId, String installationId, String privateKey, URI api) {
  /** The server's clock may be behind ours. */
  private static final Duration BACKDATED = Duration.ofSeconds(60);

  /** GitHub takes no longer one. */
  private static final Duration VALID = Duration.ofMinutes(10);

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int CREATED = 201;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The API that belongs to a repository's address: GitHub's own, or {@code /api/v3} there. */
  public static URI apiOf(URIish repository) {
    String host = String.valueOf(repository.getHost()).toLowerCase(Locale.ROOT);
    return host.equals("github.com") || host.equals("www.github.com")
        ? URI.create("https://api.github.com")
        : URI.create("https://" + host + "/api/v3");
  }

  /**
   * Asks for an access token of the installation.
   *
   * @throws IOException if GitHub cannot be reached or refuses; the message says which of the three
   *     values to look at
   */
  public GitCredentials credentials(InstantSource clock) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(api + "/app/installations/" + installationId + "/access_tokens"))
            .header("Authorization", "Bearer " + webToken(clock.instant()))
            .header("Accept", "application/vnd.github+json")
            .timeout(LIMIT)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      JsonNode body = parse(answer);
      String token = body.path("token").asText();
      if (answer.statusCode() != CREATED || token.isEmpty()) {
        throw new IOException(refusal(answer.statusCode(), body.path("message").asText()));
      }
      // GitHub's fixed user name for such tokens.
      return new GitCredentials.Basic("x-access-token", token);
    }
  }

  private static JsonNode parse(HttpResponse<String> answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (IOException notJson) {
      return JSON.createObjectNode();
    }
  }

  private String refusal(int code, String message) {
    String advice =
        switch (code) {
          case 401 -> ": check that the app id and the private key belong together";
          case 403 -> ": check that the installation is not suspended";
          case 404 -> ": check the installation id";
          default -> "";
        };
    return "git: "
        + api
        + " gave no token for GitHub App "
        + appId
        + ", installation "
        + installationId
        + ": HTTP "
        + code
        + (message.isEmpty() ? "" : " " + message)
        + advice;
  }

  private String webToken(Instant now) throws IOException {
    String header = encode(JSON.writeValueAsString(Map.of("alg", "RS256", "typ", "JWT")));
    String claims =
        encode(
            JSON.writeValueAsString(
                Map.of(
                    "iat", now.minus(BACKDATED).getEpochSecond(),
                    "exp", now.plus(VALID).getEpochSecond(),
                    "iss", appId)));
    String signed = header + "." + claims;
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IOException("git: the private key of the GitHub App is not an RSA key", e);
    }
  }

  private PrivateKey key() throws IOException {
    try {
      return SshSessions.parse(new GitCredentials.SshKey(privateKey, "", List.of()))
          .getFirst()
          .getPrivate();
    } catch (IOException e) {
      throw new IOException(
          "git: the private key of the GitHub App cannot be read: it must be the whole PEM text"
              + " that GitHub gave out",
          e);
    }
  }

  private static String encode(String text) {
    return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "GitHubApp[" + appId + ", " + installationId + ", " + api + "]";
  }
}
