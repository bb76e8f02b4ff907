package dev.reprise.activities.operation;

import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.activities.kube.Redactor;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns an end into the activity's answer, and keeps what belongs to the result first. */
final class Conclusion {
  private static final int LONGEST_PERMALINK = 2_048;

  private final Results results;
  private final Timing timing;
  private final OperationInput input;
  private final Masking masking;

  Conclusion(Results results, Timing timing, OperationInput input, Masking masking) {
    this.results = results;
    this.timing = timing;
    this.input = input;
    this.masking = masking;
  }

  /** Nothing ran; why is told without a program's text, or with a masked one. */
  OperationOutput unsent(Outcome outcome, String why) {
    return new OperationOutput(outcome, excerpt(outcome, why), false, "");
  }

  /** Something may have run, but its end is not known; why is told as for {@link #unsent}. */
  OperationOutput lost(Outcome outcome, String why) {
    return new OperationOutput(outcome, excerpt(outcome, why), true, "");
  }

  /** The call was ended, which is all that can be done with an agent without operation ids. */
  OperationOutput cancelled(CancelCause cause) {
    return lost(cause.outcome(), cause.reason());
  }

  OperationOutput finished(Ending.Finished end, Optional<CancelCause> asked, Runnable beat)
      throws InterruptedException {
    OperationResult result = end.result();
    Outcome outcome =
        result.succeeded()
            ? Outcome.SUCCEEDED
            : end.cancelled()
                ? asked.orElse(CancelCause.PERSON).outcome()
                : Outcome.OPERATION_FAILED;
    String text = result.succeeded() ? "" : mask(result.failureText(), result.outputs().values());
    return keep(outcome, text, result.outputs(), result.project(), result.permalink(), beat);
  }

  OperationOutput failed(Ending.Failed failed, Optional<CancelCause> asked, Runnable beat)
      throws InterruptedException {
    AgentStatus status = failed.status();
    boolean cancelled = failed.cancelled() || status.code() == Status.Code.CANCELLED;
    Outcome outcome = cancelled ? asked.orElse(CancelCause.PERSON).outcome() : status.operating();
    String text = masking.apply(status.text());
    if (cancelled && asked.isPresent()) {
      text = asked.get().reason() + "\n" + text;
    }
    return keep(outcome, text, Map.of(), ProjectInfo.getDefaultInstance(), "", beat);
  }

  private OperationOutput keep(
      Outcome outcome,
      String text,
      Map<String, OutputValue> outputs,
      ProjectInfo project,
      String permalink,
      Runnable beat)
      throws InterruptedException {
    String note = keep(ResultSecret.of(input, outcome, text, outputs, project), beat);
    String message = outcome == Outcome.SUCCEEDED ? note : excerpt(outcome, text);
    String page = permalink.length() > LONGEST_PERMALINK ? "" : permalink;
    return new OperationOutput(outcome, message, true, page);
  }

  /** An agent that cannot be asked again has told its result once: so this is tried for a while. */
  private String keep(Secret secret, Runnable beat) throws InterruptedException {
    Pauses pauses = timing.pauses();
    while (true) {
      try {
        return results.keep(secret);
      } catch (KubernetesClientException e) {
        beat.run();
        if (!pauses.pause()) {
          return "its outputs could not be kept: the API server does not answer (%d)"
              .formatted(e.getCode());
        }
      }
    }
  }

  private String mask(String text, Collection<OutputValue> outputs) {
    List<String> secret = new ArrayList<>();
    for (OutputValue output : outputs) {
      if (output.getSecret()) {
        secret.add(output.getValue().toStringUtf8().replaceAll("^\"|\"$", ""));
      }
    }
    return new Redactor(secret).apply(masking.apply(text));
  }

  private String excerpt(Outcome outcome, String text) {
    return FailureWords.of(input.kind(), outcome, text);
  }
}
