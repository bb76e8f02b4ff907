package dev.reprise.agent;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Knows for how long nobody has been connected. A call needs a connection, so connections are all
 * that has to be counted; the server's keepalive ends those whose other side is gone.
 */
final class Clients extends ServerTransportFilter {
  private final InstantSource clock;
  private int connected;
  private Instant lastSeen;

  Clients(InstantSource clock) {
    this.clock = clock;
    this.lastSeen = clock.instant();
  }

  @Override
  public synchronized Attributes transportReady(Attributes attributes) {
    connected++;
    return attributes;
  }

  @Override
  public synchronized void transportTerminated(Attributes attributes) {
    connected--;
    lastSeen = clock.instant();
  }

  /** Zero while anyone is connected. */
  synchronized Duration alone() {
    return connected > 0 ? Duration.ZERO : Duration.between(lastSeen, clock.instant());
  }
}
