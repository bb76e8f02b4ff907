package dev.reprise.e2e.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nothing uses, below those that Linux gives to outgoing connections: so none takes the
 * port of a server that was killed before it is started again. Temporal's production server also
 * cannot store higher ones of its members.
 */
public final class Ports {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_767;
  private static final int TRIES = 100;

  private Ports() {}

  /** One that is free on an address of this machine at this moment. */
  public static int free(String address) {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (isFree(address, port)) {
        return port;
      }
    }
    throw new IllegalStateException("found no free port on " + address);
  }

  private static boolean isFree(String address, int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    } catch (IOException taken) {
      return false;
    }
  }
}
