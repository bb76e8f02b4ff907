package dev.reprise.dev;

/** A port that was asked for is taken by another program. The message names it. */
public final class PortInUseException extends RuntimeException {
  private final int port;

  /**
   * @param service what was to listen there, for the message
   * @param port the port that is taken
   */
  public PortInUseException(String service, int port, Throwable cause) {
    super(
        "%s cannot listen on 127.0.0.1:%d: the port is in use; end the program that uses it or choose another port"
            .formatted(service, port),
        cause);
    this.port = port;
  }

  /** The port that is taken. */
  public int port() {
    return port;
  }
}
