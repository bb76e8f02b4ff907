package dev.reprise.activities.agent;

/**
 * Where an agent listens.
 *
 * @param host name or address
 * @param port TCP port
 * @param token what it asks for as bearer token; "" = nothing
 */
public record Endpoint(String host, int port, String token) {
  /** Without the token. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
