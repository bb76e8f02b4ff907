package dev.reprise.activities.operation;

import com.google.common.util.concurrent.ListenableFuture;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.agent.OperationId;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.SelectStackResult;
import dev.reprise.proto.operation.State;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One attempt of the activity: send or attach, follow, conclude. */
final class OperationAttempt {
  private final RunOperation.Parts parts;
  private final OperationInput input;
  private final Consumer<Progress> heartbeat;
  private final StackNow stack;
  private final Masking masking;
  private final Conclusion conclusion;
  private final Follower follower;
  private boolean mayHaveSent;
  private boolean renewed;

  OperationAttempt(
      RunOperation.Parts parts,
      OperationInput input,
      boolean mayHaveSent,
      Consumer<Progress> heartbeat) {
    this.parts = parts;
    this.input = input;
    this.mayHaveSent = mayHaveSent;
    this.heartbeat = heartbeat;
    this.stack = new StackNow(parts.stacks(), parts.reader(), input);
    this.masking = new Masking(parts.secrets());
    this.conclusion = new Conclusion(parts.results(), parts.timing(), input, masking);
    this.follower = follower(input.operationId(), true);
  }

  /** Before anything was sent, and until the agent answers, asks again for two minutes. */
  OperationOutput run() throws InterruptedException {
    Pauses pauses = parts.timing().pauses();
    while (true) {
      follower.beat();
      if (!mayHaveSent && follower.cancel().isPresent()) {
        return conclusion.unsent(Outcome.CANCELLED, "cancelled before it was sent");
      }
      String trouble;
      try {
        return once();
      } catch (StatusException e) {
        trouble = "the agent does not answer: " + code(AgentStatus.of(e));
      } catch (KubernetesClientException e) {
        trouble = "the API server does not answer (" + e.getCode() + ")";
      }
      if (!pauses.pause()) {
        return mayHaveSent
            ? conclusion.lost(Outcome.INTERRUPTED, trouble)
            : conclusion.unsent(Outcome.UNREACHABLE, trouble);
      }
    }
  }

  /** Throws a status only while nothing is known to run. */
  private OperationOutput once() throws StatusException, InterruptedException {
    Optional<Endpoint> endpoint = parts.workspaces().locate(input.stack());
    if (endpoint.isEmpty()) {
      return mayHaveSent
          ? conclusion.lost(Outcome.INTERRUPTED, "the workspace's agent is gone")
          : conclusion.unsent(Outcome.UNREACHABLE, "no agent runs in the workspace");
    }
    try (AgentConnection agent = AgentConnection.open(endpoint.get())) {
      if (mayHaveSent) {
        Optional<OperationOutput> known = known(agent);
        if (known.isPresent()) {
          return known.get();
        }
        if (input.attachOnly()) {
          return conclusion.unsent(Outcome.INTERRUPTED, "the agent does not know it any more");
        }
        if (follower.cancel().isPresent()) {
          return conclusion.unsent(Outcome.CANCELLED, "cancelled before it was sent");
        }
      }
      return send(agent);
    }
  }

  /** What became of a call that may have been sent; empty when the agent never got it. */
  private Optional<OperationOutput> known(AgentConnection agent)
      throws StatusException, InterruptedException {
    State state;
    try {
      state = agent.describe(input.operationId()).getState();
    } catch (StatusException e) {
      AgentStatus status = AgentStatus.of(e);
      if (status.unreachable()) {
        throw e;
      }
      return Optional.of(
          conclusion.lost(
              Outcome.INTERRUPTED,
              status.unimplemented()
                  ? "the connection was lost, and this agent cannot be asked for the operation"
                  : "the connection was lost, and the agent answers " + status.code()));
    }
    return switch (state) {
      case STATE_RUNNING, STATE_FINISHED -> {
        stack.readable().ifPresent(masking::use);
        yield Optional.of(
            conclude(follower.follow(agent, OperationStream.watch(agent, input.operationId()))));
      }
      case STATE_UNKNOWN -> Optional.empty();
      case STATE_INTERRUPTED, STATE_UNSPECIFIED, UNRECOGNIZED ->
          Optional.of(conclusion.lost(Outcome.INTERRUPTED, "the agent was restarted while it ran"));
    };
  }

  private OperationOutput send(AgentConnection agent) throws StatusException, InterruptedException {
    OperationRequests requests;
    switch (stack.look()) {
      case StackNow.Refused refused -> {
        return conclusion.unsent(refused.outcome(), refused.why());
      }
      case StackNow.Wanted wanted -> {
        masking.use(wanted.stack());
        requests = new OperationRequests(wanted.stack().spec(), input);
      }
    }
    try {
      select(agent, requests.select());
    } catch (StatusException e) {
      AgentStatus status = AgentStatus.of(e);
      if (status.unreachable()) {
        throw e;
      }
      if (status.code() == Status.Code.UNAUTHENTICATED && !renewed) {
        renewed = true;
        return once();
      }
      return conclusion.unsent(
          status.beforeSent(), "selecting the stack failed: " + words(status) + status.remedy());
    }
    // Selecting may have taken minutes, in which another attempt or generation took over.
    follower.beat();
    if (follower.cancel().isPresent()) {
      return conclusion.unsent(Outcome.CANCELLED, "cancelled before it was sent");
    }
    if (stack.look() instanceof StackNow.Refused refused) {
      return conclusion.unsent(refused.outcome(), refused.why());
    }
    mayHaveSent = true;
    follower.sending();
    OperationStream stream = OperationStream.send(agent, input.operationId(), requests);
    Ending ending = follower.follow(agent, stream);
    if (ending instanceof Ending.Broken broken && !broken.status().runningId().isEmpty()) {
      return busy(agent, broken.status().runningId());
    }
    return conclude(ending);
  }

  /** Beats while it waits, which throws when this attempt is to stop. */
  private void select(AgentConnection agent, SelectStackRequest request)
      throws StatusException, InterruptedException {
    ListenableFuture<SelectStackResult> call = agent.limitedFutures().selectStack(request);
    try {
      while (follower.cancel().isEmpty()) {
        try {
          call.get(parts.timing().tick().toNanos(), TimeUnit.NANOSECONDS);
          return;
        } catch (TimeoutException e) {
          follower.beat();
        }
      }
    } catch (ExecutionException e) {
      throw Status.fromThrowable(e).asException();
    } finally {
      call.cancel(true);
    }
  }

  /** What a stream's end means, asking by id again when it tells nothing. */
  private OperationOutput conclude(Ending ending) throws InterruptedException {
    return switch (ending) {
      case Ending.Finished finished ->
          conclusion.finished(finished, follower.cancel(), follower::beat);
      case Ending.Failed failed -> conclusion.failed(failed, follower.cancel(), follower::beat);
      case Ending.GivenUp given -> {
        CancelCause cause = follower.cancel().orElse(CancelCause.PERSON);
        yield conclusion.lost(
            cause.outcome(), cause.reason() + "; it did not end after it was cancelled");
      }
      case Ending.Broken broken when follower.hungUp() ->
          conclusion.cancelled(follower.cancel().orElse(CancelCause.PERSON));
      case Ending.Broken broken -> attachAgain(Outcome.INTERRUPTED, words(broken.status()));
      case Ending.WithoutResult none ->
          attachAgain(Outcome.ENDED_WITHOUT_RESULT, "the stream ended without a result");
    };
  }

  private String words(AgentStatus status) {
    return status.text().isEmpty()
        ? "the agent answered " + status.code()
        : masking.apply(status.text());
  }

  private String code(AgentStatus status) {
    String text = masking.apply(status.text());
    return text.isEmpty() || text.equals(Masking.NOT_SHOWN)
        ? status.code().name()
        : status.code() + ": " + text;
  }

  private OperationOutput attachAgain(Outcome otherwise, String why) throws InterruptedException {
    Pauses pauses = parts.timing().pauses();
    while (pauses.pause()) {
      follower.beat();
      Optional<Endpoint> endpoint = parts.workspaces().locate(input.stack());
      if (endpoint.isEmpty()) {
        continue;
      }
      try (AgentConnection agent = AgentConnection.open(endpoint.get())) {
        State state = agent.describe(input.operationId()).getState();
        if (state != State.STATE_RUNNING && state != State.STATE_FINISHED) {
          return conclusion.lost(
              state == State.STATE_INTERRUPTED ? Outcome.INTERRUPTED : otherwise, why);
        }
        Ending ending = follower.follow(agent, OperationStream.watch(agent, input.operationId()));
        if (ending instanceof Ending.WithoutResult) {
          return conclusion.lost(Outcome.ENDED_WITHOUT_RESULT, why);
        }
        if (!(ending instanceof Ending.Broken)) {
          return conclude(ending);
        }
        if (state == State.STATE_RUNNING) {
          pauses = parts.timing().pauses();
        }
      } catch (StatusException e) {
        if (!AgentStatus.of(e).unreachable()) {
          return conclusion.lost(otherwise, why);
        }
      }
    }
    return conclusion.lost(Outcome.INTERRUPTED, why);
  }

  /**
   * Another operation holds the agent. One for the same generation and kind is this work under
   * another name, for example from a run whose record was lost: its result is ours. Any other is
   * waited for, so that the next attempt finds the agent free.
   */
  private OperationOutput busy(AgentConnection agent, String otherId) throws InterruptedException {
    boolean same = OperationId.sameWork(input.operationId(), otherId);
    Follower other = follower(otherId, same);
    Ending ending = other.follow(agent, OperationStream.watch(agent, otherId));
    if (same && ending instanceof Ending.Finished finished) {
      return conclusion.finished(finished, other.cancel(), follower::beat);
    }
    if (same && ending instanceof Ending.Failed failed) {
      return conclusion.failed(failed, other.cancel(), follower::beat);
    }
    return other.cancel().isPresent()
        ? conclusion.unsent(Outcome.CANCELLED, "cancelled while another operation ran")
        : conclusion.unsent(Outcome.BUSY, "another operation ran in the workspace: " + otherId);
  }

  private Follower follower(String id, boolean ours) {
    return new Follower(
        id,
        ours,
        ours ? input.idleTimeout() : Duration.ZERO,
        ours ? input.timeout() : Duration.ZERO,
        parts.timing(),
        new EventProgress(input.operationId()),
        heartbeat);
  }
}
