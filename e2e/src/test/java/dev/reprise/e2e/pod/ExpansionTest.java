package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpansionTest {

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "a $(NAME) b, a value b",
    "$(NAME)$(NAME), valuevalue",
    "$(UNKNOWN), $(UNKNOWN)",
    "$$(NAME), $(NAME)",
    "$$$(NAME), $value",
    "$NAME, $NAME",
    "$(NAME, $(NAME",
    "5$, 5$",
  })
  void referencesToKnownVariablesAreReplaced(String text, String expected) {
    assertThat(Expansion.expand(text, Map.of("NAME", "value"))).isEqualTo(expected);
  }
}
