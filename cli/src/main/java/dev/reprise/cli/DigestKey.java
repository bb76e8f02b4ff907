package dev.reprise.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The installation's key for digests of configuration and secrets.
 *
 * @param id tells this key from another, so that digests made with different ones are not compared
 * @param key for HMAC-SHA256
 */
record DigestKey(String id, SecretKey key) {
  private static final int BYTES = 32;
  private static final int ID_DIGITS = 8;
  private static final String ALGORITHM = "HmacSHA256";

  /**
   * The key of a state folder; made once, also when several workers begin at the same moment.
   *
   * @throws UserProblem when its file cannot be used
   */
  static DigestKey in(Path state) {
    Path file = state.resolve("digest.key");
    try {
      if (!Files.exists(file)) {
        create(file);
      }
      SecretKey key = new SecretKeySpec(Files.readAllBytes(file), ALGORITHM);
      return new DigestKey(idOf(key), key);
    } catch (IOException | IllegalArgumentException e) {
      throw new UserProblem("the key file " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** A link appears whole and only once: whoever comes second takes the first one's key. */
  private static void create(Path file) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    Path fresh =
        Files.createTempFile(
            folder,
            "digest",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.write(fresh, random);
      Files.createLink(file, fresh);
    } catch (FileAlreadyExistsException e) {
      // The key that is there is the one to use.
    } finally {
      Files.delete(fresh);
    }
  }

  private static String idOf(SecretKey key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] digest = mac.doFinal("id".getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, ID_DIGITS);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "DigestKey[" + id + "]";
  }
}
