package dev.reprise.cli.ops;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Where to listen, as options and environment variables say it. */
public final class ListenAddress {
  private static final int MOST = 65_535;

  private ListenAddress() {}

  /**
   * Reads {@code host:port} or {@code :port}, all addresses of the machine; port 0 = any free one.
   *
   * @param setting the option's name, for messages
   * @return empty for "" and {@code off}
   * @throws OpsException when it cannot be read
   */
  public static Optional<InetSocketAddress> of(String setting, String text) throws OpsException {
    if (text.isEmpty() || text.equals("off")) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon >= 0 && port >= 0 && port <= MOST) {
        String host = text.substring(0, colon);
        return Optional.of(
            host.isEmpty()
                ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getByName(host), port));
      }
    } catch (NumberFormatException | UnknownHostException e) {
      throw wrong(setting, text, e);
    }
    throw wrong(setting, text, new IllegalArgumentException(text));
  }

  private static OpsException wrong(String setting, String text, Exception cause) {
    return new OpsException(
        "%s \"%s\" is no address of this machine; use host:port, :port or off"
            .formatted(setting, text),
        cause);
  }
}
