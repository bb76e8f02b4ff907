package dev.reprise.dev.temporal;

import java.net.URI;
import java.util.Optional;

/**
 * A service that somebody else runs. Closing does nothing.
 *
 * @param target {@code host:port}
 */
public record ExternalTemporal(String target) implements TemporalService {
  @Override
  public Optional<URI> webUi() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
