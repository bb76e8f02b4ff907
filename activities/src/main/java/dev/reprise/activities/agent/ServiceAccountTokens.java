package dev.reprise.activities.agent;

import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tokens of this process's own service account, one for each agent: each is good for that agent
 * alone, so that no agent can use what it was shown towards another.
 */
public final class ServiceAccountTokens {
  /** As the Pulumi Kubernetes Operator does; calls that begin now are over long before. */
  private static final Duration BEFORE_EXPIRY = Duration.ofMinutes(5);

  /** What is asked for. An API server may grant less or more. */
  private static final Duration LIFE = Duration.ofHours(1);

  private final KubernetesClient client;
  private final String namespace;
  private final String account;
  private final InstantSource clock;
  private final Map<String, Token> tokens = new ConcurrentHashMap<>();

  private record Token(String value, Instant expiry) {
    boolean fresh(Instant now) {
      return now.plus(BEFORE_EXPIRY).isBefore(expiry);
    }

    /** Never the token. */
    @Override
    public String toString() {
      return "Token[expiry=" + expiry + "]";
    }
  }

  /**
   * Tokens asked for with this client.
   *
   * @param client has a limit on each call
   * @param namespace of the service account this process runs as
   * @param account its name; it needs the right to create {@code serviceaccounts/token} of itself
   * @param clock tells the time
   */
  public ServiceAccountTokens(
      KubernetesClient client, String namespace, String account, InstantSource clock) {
    this.client = client;
    this.namespace = namespace;
    this.account = account;
    this.clock = clock;
  }

  /** Credentials towards the agent that asks for tokens of this audience. */
  public Credentials towards(String audience) {
    return new Credentials() {
      @Override
      public String token() throws CredentialsUnavailable {
        Token known = tokens.get(audience);
        return known != null && known.fresh(clock.instant()) ? known.value() : fresh(audience);
      }

      @Override
      public void refused(String token) {
        tokens.computeIfPresent(
            audience, (key, known) -> known.value().equals(token) ? null : known);
      }
    };
  }

  private String fresh(String audience) throws CredentialsUnavailable {
    tokens.values().removeIf(token -> !token.fresh(clock.instant()));
    TokenRequestStatus granted = request(audience).getStatus();
    tokens.put(
        audience, new Token(granted.getToken(), Instant.parse(granted.getExpirationTimestamp())));
    return granted.getToken();
  }

  private TokenRequest request(String audience) throws CredentialsUnavailable {
    TokenRequest wanted =
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences(audience)
            .withExpirationSeconds(LIFE.toSeconds())
            .endSpec()
            .build();
    try {
      return client.serviceAccounts().inNamespace(namespace).withName(account).tokenRequest(wanted);
    } catch (KubernetesClientException e) {
      boolean denied =
          e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
              || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
      throw new CredentialsUnavailable(
          denied,
          denied
              ? "the worker gets no token for its agents: service account %s/%s has to exist and may create serviceaccounts/token of itself (%d)"
                  .formatted(namespace, account, e.getCode())
              : "the API server gives no token for the agent now (%d)".formatted(e.getCode()),
          e);
    }
  }
}
