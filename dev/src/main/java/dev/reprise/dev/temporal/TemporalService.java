package dev.reprise.dev.temporal;

import java.net.URI;
import java.util.Optional;

/** A Temporal service and whether it is ours to end. */
public sealed interface TemporalService extends AutoCloseable
    permits EmbeddedTemporal, TemporalCli, ExternalTemporal {
  /** Where the service answers gRPC, as {@code host:port}. */
  String target();

  /** Its Web UI, when there is one that we know of. */
  Optional<URI> webUi();

  /** Ends the service if it was started here. */
  @Override
  void close();
}
