package dev.reprise.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MaskerTest {
  @Test
  void theLongestSecretWinsWhereOneContainsAnother() {
    assertThat(new Masker(List.of("pass", "password1")).mask("password1 pass"))
        .isEqualTo("[secret] [secret]");
  }

  @Test
  void aSecretOfSeveralLinesIsMaskedLineByLine() {
    Masker masker = new Masker(List.of("-----BEGIN\nabcdef\n-----END"));

    assertThat(masker.mask("key: abcdef")).isEqualTo("key: [secret]");
    assertThat(masker.mask("-----BEGIN\nabcdef\n-----END")).isEqualTo("[secret]");
  }

  @Test
  void aSecretIsMaskedAsItStandsInJson() {
    assertThat(new Masker(List.of("a\"b\\c")).mask("{\"x\":\"a\\\"b\\\\c\"}"))
        .isEqualTo("{\"x\":\"[secret]\"}");
  }

  @Test
  void secretsOfTwoCharactersAreLeftAlone() {
    assertThat(new Masker(List.of("ab")).mask("cab")).isEqualTo("cab");
  }
}
