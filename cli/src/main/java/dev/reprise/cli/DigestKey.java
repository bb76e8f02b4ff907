package dev.reprise.cli;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
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
  private static final String SECRET = "reprise-digest-key";
  private static final String ENTRY = "key";
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

  /**
   * The key kept in a Secret of the namespace that Reprise runs in; made once, also when several
   * workers begin at the same moment.
   *
   * @throws UserProblem when the Secret cannot be used
   */
  static DigestKey in(KubernetesClient client, String namespace) {
    try {
      Secret secret = client.secrets().inNamespace(namespace).withName(SECRET).get();
      SecretKey key = keyOf(secret == null ? create(client, namespace) : secret);
      return new DigestKey(idOf(key), key);
    } catch (KubernetesClientException e) {
      throw new UserProblem(
          "Secret %s/%s, which keeps the key for digests, cannot be used (%d); grant get and create on secrets there"
              .formatted(namespace, SECRET, e.getCode()),
          e);
    } catch (IllegalArgumentException e) {
      throw new UserProblem(
          "Secret %s/%s has no usable value under %s; delete it, and a new one is made"
              .formatted(namespace, SECRET, ENTRY),
          e);
    }
  }

  private static Secret create(KubernetesClient client, String namespace) {
    Secret fresh =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(SECRET)
            .endMetadata()
            .addToData(ENTRY, Base64.getEncoder().encodeToString(random()))
            .build();
    try {
      return client.resource(fresh).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      // Whoever comes second takes the first one's key.
      return client.resource(fresh).get();
    }
  }

  private static SecretKey keyOf(Secret secret) {
    Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
    return new SecretKeySpec(Base64.getDecoder().decode(data.getOrDefault(ENTRY, "")), ALGORITHM);
  }

  private static byte[] random() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return random;
  }

  /** A link appears whole and only once: whoever comes second takes the first one's key. */
  private static void create(Path file) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
    Path fresh =
        Files.createTempFile(
            folder,
            "digest",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.write(fresh, random());
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
