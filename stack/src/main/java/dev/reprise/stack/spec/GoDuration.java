package dev.reprise.stack.spec;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Go's {@code time.ParseDuration} reads them, which is what Kubernetes resources hold:
 * "90s", "1h30m", "1.5h".
 */
final class GoDuration {
  private static final Pattern TERM =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  // Go keeps durations as 64-bit nanoseconds; a longer text than this holds no such number written
  // by a person.
  private static final int LONGEST = 64;

  private GoDuration() {}

  /** Empty when the text is no duration or one that Go could not hold (about 292 years). */
  static Optional<Duration> parse(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    boolean negative = text.startsWith("-");
    String terms = negative || text.startsWith("+") ? text.substring(1) : text;
    if (terms.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher matcher = TERM.matcher(terms);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      long unit = NANOS.getOrDefault(matcher.group(2), 1L);
      nanos = nanos.add(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = matcher.end();
    }
    if (end == 0
        || end != terms.length()
        || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return Optional.empty();
    }
    Duration duration = Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact());
    return Optional.of(negative ? duration.negated() : duration);
  }
}
