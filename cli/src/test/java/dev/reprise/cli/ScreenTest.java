package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void plainSaysALineWhenAStackHasChangedAndNoneWhenItHasNot() {
    Screen screen = new Screen.Plain(out);

    screen.show(List.of(Rows.running("default/site")));
    screen.show(List.of(Rows.running("default/site")));
    screen.show(List.of(Rows.ready("default/site")));
    screen.show(List.of());

    assertThat(written().lines().map(ScreenTest::withoutTime))
        .containsExactly(
            "default/site  Running", "default/site  Ready  up to date", "default/site  gone");
  }

  @Test
  void plainShowsFailuresAndEndsWithTheTable() {
    Screen screen = new Screen.Plain(out);
    List<StackRow> rows = List.of(Rows.failing("default/broken", 3, Instant.EPOCH));

    screen.show(rows);
    screen.end(rows);

    assertThat(written().lines().map(ScreenTest::withoutTime))
        .contains("default/broken  CoolingDown  failures 3  no such region")
        .anyMatch(line -> line.startsWith("STACK"))
        .endsWith(
            "default/broken  CoolingDown  2    3        3         now           no such region");
  }

  @Test
  void liveDrawsOverTheLastFrame() {
    Screen screen = new Screen.Live(out);

    screen.show(List.of(Rows.running("default/site"), Rows.running("default/flaky")));
    bytes.reset();
    screen.show(List.of(Rows.ready("default/site")));

    assertThat(written())
        .startsWith("\u001b[3A")
        .contains("default/site  Ready")
        .contains("\u001b[J");
  }

  @Test
  void liveKeepsWhatItSaysAboveTheTable() {
    Screen screen = new Screen.Live(out);

    screen.show(List.of(Rows.running("default/site")));
    bytes.reset();
    screen.say("a.yaml:3: broken");
    screen.show(List.of(Rows.running("default/site")));

    assertThat(written()).startsWith("\u001b[2A\u001b[Ja.yaml:3: broken\n\u001b[?7l");
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String withoutTime(String line) {
    return line.replaceFirst("^\\d\\d:\\d\\d:\\d\\d {2}", "");
  }
}
