package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.Policy;
import dev.reprise.workflows.decision.Underway;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** One operation of the agent, followed to its end whatever else arrives. */
final class FollowedOperation {
  private static final Duration SHOW_HOURLY = Duration.ofHours(1);

  private final StackRef stack;
  private final RunActivities activities;
  private final Inbox inbox;
  private final Policy policy;
  private final String title;
  private final int attempt;
  private final Consumer<String> show;
  private String cancelReason = "";

  /**
   * @param title what the Web UI shows beside the activity
   * @param attempt the number of the attempt
   * @param show shows where it stands; takes why it is being cancelled, or "" while it is not
   */
  FollowedOperation(
      StackRef stack,
      RunActivities activities,
      Inbox inbox,
      Policy policy,
      String title,
      int attempt,
      Consumer<String> show) {
    this.stack = stack;
    this.activities = activities;
    this.inbox = inbox;
    this.policy = policy;
    this.title = title;
    this.attempt = attempt;
    this.show = show;
  }

  /** By when the status is written again while an attempt is made. */
  static Instant nextShow() {
    return Waits.now().plus(SHOW_HOURLY);
  }

  /**
   * Runs the operation, or only follows it if the agent still knows it.
   *
   * @param ended gets its end, also when the run is cancelled, before that is thrown
   */
  void run(Underway work, boolean attachOnly, Consumer<OperationOutput> ended) {
    Instant asked = Waits.now();
    Pending<OperationOutput> pending = Pending.start(() -> call(work, attachOnly));
    try {
      follow(pending);
    } catch (CanceledFailure runCancelled) {
      Workflow.newDetachedCancellationScope(
              () -> {
                Workflow.await(pending::completed);
                ended.accept(output(pending, work, true));
              })
          .run();
      throw runCancelled;
    }
    OperationOutput output = output(pending, work, !cancelReason.isEmpty());
    // Of one that another run asked for, the beginning is not known here.
    if (output.sent() && !attachOnly) {
      AttemptMetrics.operated(work.kind(), output.outcome(), asked);
    }
    ended.accept(output);
  }

  private Promise<OperationOutput> call(Underway work, boolean attachOnly) {
    OperationInput input = input(work, attachOnly);
    return Async.function(activities.operation(title, policy.timeout())::runOperation, input);
  }

  private OperationInput input(Underway work, boolean attachOnly) {
    return new OperationInput(
        stack,
        work.generation(),
        work.kind(),
        work.deletion(),
        "%s/%d/%s/%s".formatted(stack.uid(), work.generation(), work.kind().word(), work.update()),
        work.update(),
        attachOnly,
        policy.idleTimeout(),
        policy.timeout(),
        attempt);
  }

  private void follow(Pending<OperationOutput> pending) {
    show.accept(cancelReason);
    while (!pending.completed()) {
      Waits.until(
          nextShow(),
          "status while it runs",
          () -> pending.completed() || inbox.cancelAsked() || inbox.wished());
      if (pending.completed()) {
        return;
      }
      if (inbox.cancelAsked()) {
        cancelReason = inbox.takeCancel();
        pending.cancel(cancelReason);
      }
      show.accept(cancelReason);
    }
  }

  private OperationOutput output(
      Pending<OperationOutput> pending, Underway work, boolean cancelled) {
    try {
      return told(pending.get());
    } catch (ActivityFailure failure) {
      return cancelled
          ? told(LateCancel.pass(() -> call(work, true), cancelReason))
          : new OperationOutput(Outcome.INTERRUPTED, text(failure), false, "");
    }
  }

  private OperationOutput told(OperationOutput output) {
    return output.outcome() == Outcome.CANCELLED && !cancelReason.isEmpty()
        ? new OperationOutput(
            Outcome.CANCELLED, "cancelled: " + cancelReason, output.sent(), output.permalink())
        : output;
  }

  /** What kept an activity from answering, for people. */
  static String text(ActivityFailure failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getClass().getSimpleName() + " in activity " + failure.getActivityType();
  }
}
