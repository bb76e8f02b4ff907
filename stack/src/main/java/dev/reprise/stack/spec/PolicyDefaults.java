package dev.reprise.stack.spec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Operator-wide defaults, configured under the very names of a Stack's own settings. */
public final class PolicyDefaults {
  static final String MAX_BACKOFF = "retryMaxBackoffDurationSeconds";

  private PolicyDefaults() {}

  /** Defaults that cannot be used; tells of all mistakes, not only of the first. */
  public static final class Invalid extends Exception {
    private static final long serialVersionUID = 1;

    Invalid(List<String> problems) {
      super(String.join("; ", problems));
    }
  }

  /** The names that have a default. */
  public static List<String> names() {
    return Stream.concat(Stream.of(Setting.values()).map(Setting::field), Stream.of(MAX_BACKOFF))
        .toList();
  }

  /**
   * The built-in defaults with some replaced.
   *
   * @param settings whole numbers by name
   */
  public static Policy of(Map<String, String> settings) throws Invalid {
    List<String> problems = new ArrayList<>();
    Map<Setting, Long> numbers = new EnumMap<>(Setting.class);
    Duration max = Policy.DEFAULTS.maxBackoff();
    for (Map.Entry<String, String> entry : new TreeMap<>(settings).entrySet()) {
      String name = entry.getKey();
      try {
        if (name.equals(MAX_BACKOFF)) {
          max = longest(entry.getValue());
        } else {
          Setting setting = named(name);
          numbers.put(setting, setting.parse(name, entry.getValue()));
        }
      } catch (SpecInvalid e) {
        problems.add(e.getMessage());
      }
    }
    Policy policy = policy(numbers, max);
    if (numbers.containsKey(Setting.INITIAL_BACKOFF)
        && policy.initialBackoff().compareTo(max) > 0) {
      problems.add(
          Setting.INITIAL_BACKOFF.field()
              + " is longer than the longest wait: lower it, or raise "
              + MAX_BACKOFF);
    }
    if (!problems.isEmpty()) {
      throw new Invalid(problems);
    }
    return policy;
  }

  private static Policy policy(Map<Setting, Long> numbers, Duration max) {
    Policy builtIn = Policy.DEFAULTS;
    return new Policy(
        seconds(numbers, Setting.INITIAL_BACKOFF, builtIn.initialBackoff()),
        max,
        numbers.getOrDefault(Setting.FAILURE_LIMIT, builtIn.failureLimit()),
        numbers.getOrDefault(Setting.STALLED_AFTER, builtIn.stalledAfter()),
        seconds(numbers, Setting.IDLE_TIMEOUT, builtIn.idleTimeout()),
        seconds(numbers, Setting.TIMEOUT, builtIn.timeout()),
        builtIn.resync());
  }

  private static Duration seconds(Map<Setting, Long> numbers, Setting setting, Duration builtIn) {
    return Duration.ofSeconds(numbers.getOrDefault(setting, builtIn.toSeconds()));
  }

  private static Duration longest(String text) throws SpecInvalid {
    String fix = "give a whole number from 1 to " + Setting.YEAR_SECONDS;
    long seconds = Setting.whole(MAX_BACKOFF, text, fix);
    if (seconds < 1 || seconds > Setting.YEAR_SECONDS) {
      throw new SpecInvalid(MAX_BACKOFF, "is out of range", fix);
    }
    return Duration.ofSeconds(seconds);
  }

  private static Setting named(String name) throws SpecInvalid {
    Optional<Setting> found =
        Stream.of(Setting.values()).filter(setting -> setting.field().equals(name)).findFirst();
    if (found.isEmpty()) {
      throw new SpecInvalid(name, "is no setting", "use " + String.join(", ", names()));
    }
    return found.get();
  }
}
