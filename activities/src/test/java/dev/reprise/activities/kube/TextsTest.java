package dev.reprise.activities.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextsTest {

  @Test
  void anExcerptIsOneLineWithTheFirstAndTheLastWords() {
    String text =
        IntStream.range(0, 1_000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
    String excerpt = Texts.excerpt("\n\nup failed: exit status 255\nstdout:\n" + text + "\n", 500);
    assertThat(excerpt)
        .startsWith("up failed: exit status 255 …")
        .endsWith("line 999")
        .doesNotContain("\n")
        .hasSizeLessThanOrEqualTo(500);
  }

  @Test
  void aShortTextIsKeptWhole() {
    assertThat(Texts.excerpt("one\n\n\u001B[31mtwo\u001B[0m\n", 500)).isEqualTo("one; two");
    assertThat(Texts.excerpt("  \n", 500)).isEmpty();
  }

  @Test
  void aSingleEndlessLineIsCut() {
    assertThat(Texts.excerpt("x".repeat(2_000), 500)).hasSize(500);
    assertThat(Texts.excerpt("a\n" + "x".repeat(2_000), 500)).hasSizeLessThanOrEqualTo(500);
  }

  @Test
  void aBoundedTextKeepsItsEndsAndTellsWhatIsMissing() {
    String bounded = Texts.bounded("first\n" + "middle\n".repeat(10_000) + "last", 1_000);
    assertThat(bounded)
        .startsWith("first\n")
        .endsWith("\nlast")
        .contains("characters left out")
        .hasSizeLessThanOrEqualTo(1_000);
  }

  @Test
  void aCharacterOutsideTheBasicPlaneIsNeverCutInHalf() {
    for (int limit = 90; limit < 96; limit++) {
      String cut = Texts.excerpt("🚀".repeat(300) + "\n" + "🚀".repeat(300), limit);
      String bounded = Texts.bounded("🚀".repeat(300), limit);
      for (String text : List.of(cut, bounded, Texts.cut("🚀".repeat(300), limit))) {
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).as(text).isTrue();
        assertThat(text).hasSizeLessThanOrEqualTo(limit);
      }
    }
  }

  @Test
  void coloursAreLeftOutOfABoundedText() {
    assertThat(Texts.bounded("\u001B[31mred\u001B[0m\nline", 100)).isEqualTo("red\nline");
  }

  @Test
  void everyLineOfASecretIsMasked() {
    Redactor redactor = new Redactor(List.of("hunter2-hunter2", "-----BEGIN\nabcdefg\n-----END"));
    assertThat(redactor.apply("pw=hunter2-hunter2 key=abcdefg"))
        .isEqualTo("pw=[secret] key=[secret]");
  }
}
