package dev.reprise.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    LineReader.readAll(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), lines::add);
    return lines;
  }

  @Test
  void newlinesCarriageReturnsAndBothEndALine() {
    assertThat(lines("a\nb\r\n10%\r20%\r\n\nend"))
        .containsExactly("a", "b", "10%", "20%", "", "end");
  }

  @Test
  void aPairOfReturnAndNewlineAcrossTwoReadsIsOneEnd() {
    List<String> lines = new ArrayList<>();
    InputStream first = new ByteArrayInputStream("a\r".getBytes(StandardCharsets.UTF_8));
    InputStream second = new ByteArrayInputStream("\nb\r".getBytes(StandardCharsets.UTF_8));
    InputStream third = new ByteArrayInputStream("c\n".getBytes(StandardCharsets.UTF_8));
    LineReader.readAll(
        new SequenceInputStream(Collections.enumeration(List.of(first, second, third))),
        lines::add);

    assertThat(lines).containsExactly("a", "b", "c");
  }

  @Test
  void charactersOfSeveralBytesStayWhole() {
    assertThat(lines("grün 漢\n")).containsExactly("grün 漢");
  }

  @Test
  void aLineBeyondTheLimitIsCutAndTheNextOneIsNot() {
    List<String> lines = lines("x".repeat(LineReader.LIMIT + 5) + "\nnext\n");

    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).endsWith("(5 bytes left out)");
    assertThat(lines.getLast()).isEqualTo("next");
  }

  @Test
  void aListenerThatFailsDoesNotStopTheReading() {
    List<String> seen = new ArrayList<>();
    LineReader.readAll(
        new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.UTF_8)),
        line -> {
          seen.add(line);
          throw new IllegalStateException("planned");
        });

    assertThat(seen).containsExactly("a", "b");
  }
}
