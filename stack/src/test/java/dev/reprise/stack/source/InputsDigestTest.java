package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsDigestTest {
  private static String digest(String key, Map<String, String> inputs) {
    SecretKeySpec secret = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    return InputsDigest.of("k1", secret, new TreeMap<>(inputs));
  }

  @Test
  void namesFormatAndKeyAndGivesNoValueAway() {
    assertThat(digest("key", Map.of("secret/api/token", "canary")))
        .matches("v1:k1:[0-9a-f]{64}")
        .isEqualTo(digest("key", Map.of("secret/api/token", "canary")))
        .isNotEqualTo(digest("other key", Map.of("secret/api/token", "canary")));
  }

  @Test
  void everyChangeOfANameOrValueChangesIt() {
    assertThat(
            new String[] {
              digest("key", Map.of()),
              digest("key", Map.of("a", "")),
              digest("key", Map.of("", "a")),
              digest("key", Map.of("a", "b")),
              digest("key", Map.of("ab", "")),
              digest("key", Map.of("a", "b", "c", "d")),
              digest("key", Map.of("a", "bcd")),
              digest("key", Map.of("a", "b\0\0\0\0c\0\0\0\0d")),
              digest("key", Map.of("a", "d", "c", "b")),
            })
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "v1:k1:00, v1:k1:11, true",
    "v1:k1:00, v1:k2:00, false",
    "v2:k1:00, v2:k1:00, false",
    "v1:k1:00, '', false",
    "'', '', false",
    "garbage, garbage, false",
  })
  void onlyDigestsOfOneFormatAndKeyAreComparable(String one, String other, boolean comparable) {
    assertThat(InputsDigest.comparable(one, other)).isEqualTo(comparable);
    assertThat(InputsDigest.comparable(other, one)).isEqualTo(comparable);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a:b"})
  void aKeyIdThatWouldBlurTheFormIsRefused(String keyId) {
    SecretKeySpec key = new SecretKeySpec(new byte[] {1}, "HmacSHA256");

    assertThatThrownBy(() -> InputsDigest.of(keyId, key, new TreeMap<>()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
