package dev.reprise.activities.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedactorTest {
  private final Redactor redactor = new Redactor(List.of("first \"line\"\nsecond line", "abc", ""));

  @Test
  void aSecretIsMaskedWholeLineByLineAndWithinJson() {
    assertThat(redactor.apply("a first \"line\"\nsecond line b")).isEqualTo("a [secret] b");
    assertThat(redactor.apply("second line, first \"line\"")).isEqualTo("[secret], [secret]");
    assertThat(redactor.apply("{\"a\": \"first \\\"line\\\"\\nsecond line\"}"))
        .isEqualTo("{\"a\": \"[secret]\"}");
    assertThat(redactor.apply("{\"a\": \"first \\\"line\\\"\"}"))
        .isEqualTo("{\"a\": \"[secret]\"}");
  }

  @Test
  void veryShortSecretsAreNotMasked() {
    assertThat(redactor.apply("abc of it")).isEqualTo("abc of it");
  }

  @Test
  void itsTextTellsNoSecret() {
    assertThat(redactor.toString()).doesNotContain("line", "abc");
  }
}
