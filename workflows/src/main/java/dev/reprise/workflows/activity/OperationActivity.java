package dev.reprise.workflows.activity;

import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;
import java.time.Instant;

/** Runs one operation in a workspace and follows it to its end. */
@ActivityInterface
public interface OperationActivity {

  /**
   * One operation. Its id is minted by the workflow, so a second attempt of the activity attaches
   * to the same operation instead of starting another.
   *
   * @param stack the Stack
   * @param generation the generation decided on
   * @param kind what to run
   * @param deletion whether it runs because the Stack is being deleted
   * @param operationId {@code <uid>/<generation>/<kind>/<update>}
   * @param update the update's name, also the prefix of its outputs Secret
   * @param attachOnly follow the operation if the agent knows it, but do not start it: an earlier
   *     attempt started it and lost sight of it
   * @param idleTimeout cancel after so long without an event; zero = never
   * @param timeout cancel when it takes longer; zero = never
   * @param attempt the number of the attempt, for logs; 0 = not told
   */
  record OperationInput(
      StackRef stack,
      long generation,
      OperationKind kind,
      boolean deletion,
      String operationId,
      String update,
      boolean attachOnly,
      Duration idleTimeout,
      Duration timeout,
      int attempt) {

    /** One of an attempt whose number does not matter. */
    public OperationInput(
        StackRef stack,
        long generation,
        OperationKind kind,
        boolean deletion,
        String operationId,
        String update,
        boolean attachOnly,
        Duration idleTimeout,
        Duration timeout) {
      this(
          stack,
          generation,
          kind,
          deletion,
          operationId,
          update,
          attachOnly,
          idleTimeout,
          timeout,
          0);
    }
  }

  /**
   * How it ended. Outputs and the full failure text are in the Secret {@code
   * <update>-stack-outputs}.
   *
   * @param outcome how it ended
   * @param message a short excerpt of the failure text, without secrets; after a success "", or
   *     what could not be kept of its result
   * @param sent whether the call was sent to the agent, so that an operation may have run
   * @param permalink the backend's page of it; "" = none
   */
  record OperationOutput(Outcome outcome, String message, boolean sent, String permalink) {}

  /** What the pending activity shows in the Web UI while the operation runs. */
  record Progress(String operationId, long events, int started, int done, String lastLine) {}

  /**
   * Returns every expected end as data. Throws {@link
   * io.temporal.client.ActivityCompletionException} when the attempt is to stop following; the
   * operation itself goes on unless the workflow asked for a cancel. With {@code attachOnly} an
   * operation that is not known any more is {@code INTERRUPTED}.
   */
  @ActivityMethod(name = "RunOperation")
  OperationOutput runOperation(OperationInput input);

  /** The end of the id of the operation that follows, for example {@code stack-18c2f0a3b4d}. */
  static String updateName(StackRef stack, Instant now) {
    return stack.name() + "-" + Long.toHexString(now.toEpochMilli());
  }
}
