package dev.reprise.e2e.engine;

/** A real Temporal service. */
public interface Temporal extends AutoCloseable {

  /** {@code host:port} of its frontend. */
  String address();

  /** Ends its server without warning. */
  void kill();

  /** Starts its server again on its data and waits until it answers. */
  void restart();

  @Override
  void close();
}
