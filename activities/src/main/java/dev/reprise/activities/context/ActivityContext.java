package dev.reprise.activities.context;

import dev.reprise.workflows.activity.FinalizerActivity.MarkInput;
import dev.reprise.workflows.activity.LogKeys;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.PrerequisiteActivity.RequestInput;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.decision.OperationKind;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.MDC;

/**
 * Around every call of an activity: puts into each of its log lines which Stack it is about, beside
 * the workflow and run the SDK puts there, and counts the operations that this worker follows.
 */
public final class ActivityContext extends WorkerInterceptorBase {
  private final Map<OperationKind, AtomicInteger> followed = new EnumMap<>(OperationKind.class);

  /** Makes one for a worker; nothing is followed yet. */
  public ActivityContext() {
    for (OperationKind kind : OperationKind.values()) {
      followed.put(kind, new AtomicInteger());
    }
  }

  /** How many operations of each kind this worker follows now. */
  public Map<String, Integer> followed() {
    Map<String, Integer> now = new TreeMap<>();
    followed.forEach((kind, count) -> now.put(kind.word(), count.get()));
    return Collections.unmodifiableMap(now);
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new Calls(next);
  }

  private final class Calls extends ActivityInboundCallsInterceptorBase {
    Calls(ActivityInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      Object[] arguments = input.getArguments();
      Object about = arguments.length == 0 ? "" : arguments[0];
      Map<String, String> fields = fields(about);
      fields.forEach(MDC::put);
      try {
        return about instanceof OperationInput operation
            ? follow(operation, input)
            : super.execute(input);
      } finally {
        fields.keySet().forEach(MDC::remove);
      }
    }

    private ActivityOutput follow(OperationInput operation, ActivityInput input) {
      AtomicInteger count = followed.getOrDefault(operation.kind(), new AtomicInteger());
      count.incrementAndGet();
      try {
        return super.execute(input);
      } finally {
        count.decrementAndGet();
      }
    }
  }

  private static Map<String, String> fields(Object about) {
    return switch (about) {
      case StackRef stack -> fields(stack, 0, 0);
      case OperationInput in -> fields(in.stack(), in.generation(), in.attempt());
      case WorkspaceInput in -> fields(in.stack(), in.generation(), in.attempt());
      case ReportInput in -> fields(in.stack(), in.looked().generation(), in.state().attempt());
      case MarkInput in -> fields(in.stack(), 0, 0);
      case RequestInput in -> fields(in.stack(), 0, 0);
      default -> Map.of();
    };
  }

  /** What is 0 is not known. */
  private static Map<String, String> fields(StackRef stack, long generation, int attempt) {
    Map<String, String> fields = new TreeMap<>();
    fields.put(LogKeys.STACK, stack.toString());
    if (generation > 0) {
      fields.put(LogKeys.GENERATION, Long.toString(generation));
    }
    if (attempt > 0) {
      fields.put(LogKeys.ATTEMPT, Integer.toString(attempt));
    }
    return fields;
  }
}
