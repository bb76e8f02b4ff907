package dev.reprise.agent.command;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 90s}, {@code 5m}, {@code 1h30m}. */
public final class DurationConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    try {
      Duration duration = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      throw refused(text, e);
    }
    throw refused(text, new IllegalArgumentException("negative"));
  }

  private static TypeConversionException refused(String text, Exception cause) {
    TypeConversionException refused =
        new TypeConversionException("'" + text + "' is no duration; write for example 90s or 5m");
    refused.initCause(cause);
    return refused;
  }
}
