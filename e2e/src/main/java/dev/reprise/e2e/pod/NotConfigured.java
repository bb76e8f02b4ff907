package dev.reprise.e2e.pod;

import java.io.Serial;

/** Something that a pod refers to is not there, or cannot be used; it may come. */
final class NotConfigured extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  NotConfigured(String message) {
    super(message);
  }
}
