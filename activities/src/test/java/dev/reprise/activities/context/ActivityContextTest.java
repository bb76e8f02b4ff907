package dev.reprise.activities.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.decision.OperationKind;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.Header;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ActivityContextTest {
  private static final StackRef STACK = new StackRef("apps", "web", "uid-1");
  private static final OperationInput UP =
      new OperationInput(
          STACK, 7, OperationKind.UP, false, "id", "web-1", false, Duration.ZERO, Duration.ZERO, 4);

  private final ActivityContext context = new ActivityContext();

  @Test
  void everyLineOfAnActivityTellsItsStackGenerationAndAttempt() {
    assertThat(fieldsDuring(UP))
        .isEqualTo(Map.of("stack", "apps/web", "generation", "7", "attempt", "4"));
    assertThat(fieldsDuring(new WorkspaceInput(STACK, 8, OperationKind.UP, "rev", 2)))
        .isEqualTo(Map.of("stack", "apps/web", "generation", "8", "attempt", "2"));
    assertThat(fieldsDuring(STACK)).isEqualTo(Map.of("stack", "apps/web"));
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }

  @Test
  void anOperationIsCountedWhileItIsFollowedHoweverItEnds() {
    Inner inner =
        () -> {
          assertThat(context.followed()).containsEntry("up", 1).containsEntry("destroy", 0);
          throw new IllegalStateException("lost");
        };
    assertThatThrownBy(() -> execute(inner, UP)).hasMessage("lost");
    assertThat(context.followed()).containsEntry("up", 0);
  }

  private Map<String, String> fieldsDuring(Object input) {
    Map<String, String> seen = new HashMap<>();
    execute(() -> seen.putAll(MDC.getCopyOfContextMap()), input);
    return seen;
  }

  private void execute(Inner inner, Object input) {
    context
        .interceptActivity(inner)
        .execute(
            new ActivityInboundCallsInterceptor.ActivityInput(
                Header.empty(), new Object[] {input}));
  }

  /** The activity itself. */
  @FunctionalInterface
  private interface Inner extends ActivityInboundCallsInterceptor {
    void work();

    @Override
    default void init(ActivityExecutionContext ignored) {}

    @Override
    default ActivityOutput execute(ActivityInput input) {
      work();
      return new ActivityOutput("");
    }
  }
}
