package dev.reprise.stack.source;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import javax.crypto.Mac;

/**
 * Notices that referenced configuration or secrets changed, without giving them away: an HMAC under
 * a key of the installation, as a plain hash of a short secret could be found by trying. Written
 * {@code v1:<key id>:<64 hexadecimal digits>}.
 */
public final class InputsDigest {
  private static final String FORMAT = "v1";
  private static final String ALGORITHM = "HmacSHA256";

  private InputsDigest() {}

  /**
   * The digest of inputs.
   *
   * @param keyId names the key; without a colon
   * @param key the installation's key
   * @param inputs only the values that are referred to, each under a name that says where it comes
   *     from
   */
  public static String of(String keyId, Key key, SortedMap<String, String> inputs) {
    if (keyId.isEmpty() || keyId.indexOf(':') >= 0) {
      throw new IllegalArgumentException("a key id is not empty and has no colon");
    }
    Mac mac = mac(key);
    inputs.forEach(
        (name, value) -> {
          mac.update(Digests.framed(name));
          mac.update(Digests.framed(value));
        });
    return FORMAT + ":" + keyId + ":" + HexFormat.of().formatHex(mac.doFinal());
  }

  /**
   * Whether two digests were made in the same way with the same key, so that a difference means
   * different inputs. Otherwise, also when either is absent, a difference means nothing and the
   * newer one is adopted.
   */
  public static boolean comparable(String one, String other) {
    String prefix = prefix(one);
    return !prefix.isEmpty() && prefix.equals(prefix(other));
  }

  private static String prefix(String digest) {
    int end = digest.lastIndexOf(':');
    return end > 0 && digest.startsWith(FORMAT + ":") ? digest.substring(0, end) : "";
  }

  private static Mac mac(Key key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("no key for " + ALGORITHM, e);
    }
  }
}
