package dev.reprise.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class DurationConverterTest {

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "5m, PT5M", "1h30m, PT90M", "0s, PT0S", "2H, PT2H"})
  void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "soon", "-5s", "5d"})
  void anythingElseIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'" + text + "' is no duration; write for example 90s or 5m");
  }
}
