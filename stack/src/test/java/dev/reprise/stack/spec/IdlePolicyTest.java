package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdlePolicyTest {

  @Test
  void aWorkspaceIsKeptUnlessTheStackAsksForSomethingElse() throws Exception {
    StackSpec spec = Specs.read("stack: dev");
    assertThat(IdlePolicy.of(spec, Map.of())).isEqualTo(new IdlePolicy.Keep());
    assertThat(asked("keep")).isEqualTo(new IdlePolicy.Keep());
    assertThat(asked(" scale-down-after: 1h30m "))
        .isEqualTo(new IdlePolicy.ScaleDown(Duration.ofMinutes(90)));
  }

  @Test
  void theReclaimPolicyDeleteSavesMoreAndWins() throws Exception {
    StackSpec spec = Specs.read("{stack: dev, workspaceReclaimPolicy: Delete}");
    assertThat(IdlePolicy.of(spec, Map.of(IdlePolicy.ANNOTATION, "scale-down-after: 5m")))
        .isEqualTo(new IdlePolicy.Delete());
    StackSpec retain = Specs.read("{stack: dev, workspaceReclaimPolicy: Retain}");
    assertThat(IdlePolicy.of(retain, Map.of())).isEqualTo(new IdlePolicy.Keep());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "delete", "scale-down-after:", "scale-down-after: 0s", "30m"})
  void anythingElseIsRefusedWithItsPlace(String asked) {
    assertThatThrownBy(() -> asked(asked))
        .isInstanceOf(SpecInvalid.class)
        .hasMessage(
            "metadata.annotations[reprise.dev/idle-workspace] is neither keep nor a time: write"
                + " keep, or scale-down-after: 30m");
  }

  private static IdlePolicy asked(String value) throws SpecInvalid {
    return IdlePolicy.of(Specs.read("stack: dev"), Map.of(IdlePolicy.ANNOTATION, value));
  }
}
