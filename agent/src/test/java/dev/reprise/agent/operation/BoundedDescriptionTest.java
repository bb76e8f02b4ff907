package dev.reprise.agent.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedDescriptionTest {
  @ParameterizedTest
  @ValueSource(strings = {"x", "ä", "漢", "😀"})
  void beginningAndEndStayWithinTheLimitInBytes(String filler) {
    String text = "first" + filler.repeat(20_000) + "last";

    String bounded = BoundedDescription.of(text);

    assertThat(bounded).startsWith("first").endsWith("last").contains("left out");
    assertThat(bounded.getBytes(StandardCharsets.UTF_8))
        .hasSizeBetween(BoundedDescription.LIMIT - 100, BoundedDescription.LIMIT);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BoundedDescription.LIMIT})
  void whatFitsIsLeftAlone(int length) {
    assertThat(BoundedDescription.of("x".repeat(length))).hasSize(length);
  }
}
