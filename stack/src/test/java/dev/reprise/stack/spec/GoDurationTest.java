package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "90s, PT1M30S",
    "1h30m, PT1H30M",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "1.s, PT1S",
    "+5m, PT5M",
    "-2ms, PT-0.002S",
    "3us, PT0.000003S",
    "3µs, PT0.000003S",
    "720h0m0s, PT720H",
  })
  void readsWhatGoReads(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "s", "1 h", "1d", "h1", "1h-5m", "--1s", "1h5", "9999999999h", "1..5s"})
  void refusesWhatGoRefuses(String text) {
    assertThat(GoDuration.parse(text)).isEmpty();
  }
}
