package dev.reprise.agent.init;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A digest as Flux writes it, such as {@code sha256:3f…}.
 *
 * @param algorithm in Java's terms
 * @param hex the value, lower case
 */
record Digest(String algorithm, String hex) {

  /**
   * @throws IOException if it is none that can be checked
   */
  static Digest parse(String text) throws IOException {
    int colon = text.indexOf(':');
    String name = colon < 0 ? "" : text.substring(0, colon);
    String hex = text.substring(colon + 1).toLowerCase(Locale.ROOT);
    Digest digest =
        switch (name) {
          case "sha256" -> new Digest("SHA-256", hex);
          case "sha384" -> new Digest("SHA-384", hex);
          case "sha512" -> new Digest("SHA-512", hex);
          default ->
              throw new IOException(
                  "flux: the digest \""
                      + text
                      + "\" cannot be checked: sha256:, sha384: or sha512: and hex digits are known");
        };
    if (!hex.matches("[0-9a-f]{" + digest.newHash().getDigestLength() * 2 + "}")) {
      throw new IOException("flux: the digest \"" + text + "\" has the wrong length");
    }
    return digest;
  }

  MessageDigest newHash() {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException everyJavaHasThem) {
      throw new IllegalStateException(everyJavaHasThem);
    }
  }

  /**
   * @throws IOException if {@code hash} has seen other bytes than this digest's
   */
  void check(MessageDigest hash, String url) throws IOException {
    byte[] found = hash.digest();
    if (!MessageDigest.isEqual(found, HexFormat.of().parseHex(hex))) {
      throw new IOException(
          "flux: "
              + url
              + " has the "
              + algorithm
              + " digest "
              + HexFormat.of().formatHex(found)
              + ", not "
              + hex
              + ": the artifact was replaced; the next revision of the source brings another");
    }
  }
}
