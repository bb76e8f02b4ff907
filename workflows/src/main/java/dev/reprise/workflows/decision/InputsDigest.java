package dev.reprise.workflows.decision;

/** Compares digests of the form {@code <format>:<key id>:<hmac>}. */
final class InputsDigest {
  private InputsDigest() {}

  /**
   * Whether the inputs are known to have changed. A digest that is absent, or of another format or
   * key, says nothing.
   */
  static boolean differ(String one, String other) {
    return comparable(one, other) && !one.equals(other);
  }

  static boolean comparable(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && prefix(one).equals(prefix(other));
  }

  private static String prefix(String digest) {
    return digest.substring(0, digest.lastIndexOf(':') + 1);
  }
}
