package dev.reprise.activities.agent;

/**
 * Where an agent listens.
 *
 * @param host name or address
 * @param port TCP port
 * @param credentials for what it asks of a caller
 */
public record Endpoint(String host, int port, Credentials credentials) {
  /** One that asks for a fixed bearer token; "" = nothing. */
  public Endpoint(String host, int port, String token) {
    this(host, port, Credentials.fixed(token));
  }

  /** Without the credentials. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
