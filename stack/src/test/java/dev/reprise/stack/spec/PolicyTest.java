package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
  private static Policy policy(String fields, Map<String, String> annotations) throws SpecInvalid {
    return Policy.of(Specs.read("{stack: d, " + fields + "}"), annotations, Policy.DEFAULTS);
  }

  @Test
  void aStackThatAsksForNothingGetsTheDefaults() throws SpecInvalid {
    Policy other =
        new Policy(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            3,
            4,
            Duration.ofSeconds(5),
            Duration.ofSeconds(6),
            Duration.ZERO);

    assertThat(policy("", Map.of())).isEqualTo(Policy.DEFAULTS);
    assertThat(Policy.of(Specs.read("{stack: d}"), Map.of(), other)).isEqualTo(other);
    assertThat(Policy.DEFAULTS.initialBackoff()).isEqualTo(Duration.ofMinutes(1));
    assertThat(Policy.DEFAULTS.maxBackoff()).isEqualTo(Duration.ofDays(1));
    assertThat(Policy.DEFAULTS.idleTimeout()).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void annotationsStandInForFieldsAndAFieldWins() throws SpecInvalid {
    Map<String, String> annotations =
        Map.of(
            "reprise.dev/retry.initialBackoffSeconds", "10",
            "reprise.dev/retry.failureLimit", "5",
            "reprise.dev/retry.stalledAfter", "6",
            "reprise.dev/operation.idleTimeoutSeconds", "0",
            "reprise.dev/operation.timeoutSeconds", "30");

    assertThat(policy("", annotations))
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(10),
                Duration.ofDays(1),
                5,
                6,
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ZERO));
    assertThat(policy("retry: {failureLimit: 7}", annotations).failureLimit()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "5, PT5S",
    "0, PT24H",
    "-1, PT24H",
    "172800, PT48H",
    "9223372036854775807, PT8760H",
  })
  void theLongestWaitIsTheFieldOrADay(String value, Duration expected) throws SpecInvalid {
    assertThat(policy("retryMaxBackoffDurationSeconds: " + value, Map.of()).maxBackoff())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resyncFrequencySeconds: 600                                    | PT0S
          continueResyncOnCommitMatch: true                              | PT1M
          continueResyncOnCommitMatch: true, resyncFrequencySeconds: 5   | PT1M
          continueResyncOnCommitMatch: true, resyncFrequencySeconds: -5  | PT1M
          continueResyncOnCommitMatch: true, resyncFrequencySeconds: 600 | PT10M
          """)
  void resyncNeedsThePermissionToRepeatAndLastsAMinuteAtLeast(String fields, Duration expected)
      throws SpecInvalid {
    assertThat(policy(fields, Map.of()).resync()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "retry, initialBackoffSeconds, 0",
    "retry, initialBackoffSeconds, -1",
    "retry, initialBackoffSeconds, 31536001",
    "retry, failureLimit, 0",
    "retry, failureLimit, -1",
    "retry, failureLimit, 1000001",
    "retry, stalledAfter, 0",
    "retry, stalledAfter, -1",
    "operation, idleTimeoutSeconds, -1",
    "operation, timeoutSeconds, 0",
    "operation, timeoutSeconds, 9223372036854775807",
  })
  void numbersOutOfRangeAreRefusedInEitherPlace(String group, String field, String value) {
    SpecInvalid inSpec =
        catchThrowableOfType(
            SpecInvalid.class, () -> policy(group + ": {" + field + ": " + value + "}", Map.of()));
    String annotation = "reprise.dev/" + group + "." + field;
    SpecInvalid inAnnotation =
        catchThrowableOfType(SpecInvalid.class, () -> policy("", Map.of(annotation, value)));

    assertThat(inSpec.path()).isEqualTo("spec." + group + "." + field);
    assertThat(inAnnotation.path()).isEqualTo("metadata.annotations[" + annotation + "]");
    assertThat(inAnnotation).hasMessageContaining("is out of range: give a whole number from ");
  }

  @ParameterizedTest
  @CsvSource({"often", "''", "1.5", "1e3", "9223372036854775808", "60s"})
  void anAnnotationThatIsNoWholeNumberIsRefusedByItsName(String value) {
    SpecInvalid refused =
        catchThrowableOfType(
            SpecInvalid.class,
            () -> policy("", Map.of("reprise.dev/retry.initialBackoffSeconds", value)));

    assertThat(refused)
        .hasMessage(
            "metadata.annotations[reprise.dev/retry.initialBackoffSeconds] is not a whole number:"
                + " give a whole number from 1 to 31536000");
  }

  @Test
  void aFirstWaitLongerThanTheLongestIsRefusedOnlyWhereTheStackItselfAsksForIt()
      throws SpecInvalid {
    SpecInvalid refused =
        catchThrowableOfType(
            SpecInvalid.class,
            () ->
                policy(
                    "retry: {initialBackoffSeconds: 600}, retryMaxBackoffDurationSeconds: 300",
                    Map.of()));

    assertThat(refused)
        .hasMessage(
            "spec.retry.initialBackoffSeconds is longer than the longest wait: lower it, or raise"
                + " spec.retryMaxBackoffDurationSeconds");
    assertThat(policy("retryMaxBackoffDurationSeconds: 5", Map.of()).initialBackoff())
        .hasSeconds(60);
    assertThat(policy("retry: {initialBackoffSeconds: 86400}", Map.of()).initialBackoff().toDays())
        .isEqualTo(1);
  }

  @Test
  void whatIsRetriedAlikeReadsAlike() throws SpecInvalid {
    assertThat(policy("", Map.of()).retryInShort()).isEqualTo("60s..86400s");
    assertThat(policy("operation: {timeoutSeconds: 9}", Map.of()).retryInShort())
        .isEqualTo("60s..86400s");
    assertThat(
            policy(
                    "retry: {failureLimit: 5, stalledAfter: 3, initialBackoffSeconds: 10},"
                        + " retryMaxBackoffDurationSeconds: 300",
                    Map.of())
                .retryInShort())
        .isEqualTo("10s..300s limit 5 stalled 3");
  }
}
