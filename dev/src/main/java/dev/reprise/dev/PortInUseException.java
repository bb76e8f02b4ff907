package dev.reprise.dev;

import java.net.BindException;
import org.jspecify.annotations.Nullable;

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

  /**
   * Whether a failure to listen comes from a taken port; native transports only say so in words.
   */
  public static boolean isBehind(Throwable failure) {
    @Nullable Throwable current = failure;
    while (current != null) {
      String message = current.getMessage() == null ? "" : current.getMessage();
      if (current instanceof BindException || message.contains("Address already in use")) {
        return true;
      }
      current = current.getCause();
    }
    return false;
  }

  /** The port that is taken. */
  public int port() {
    return port;
  }
}
