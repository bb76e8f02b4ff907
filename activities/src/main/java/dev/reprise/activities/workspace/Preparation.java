package dev.reprise.activities.workspace;

import com.google.common.util.concurrent.ListenableFuture;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.activities.agent.OperationId;
import dev.reprise.activities.kube.Redactor;
import dev.reprise.activities.kube.StackInputs;
import dev.reprise.activities.kube.Texts;
import dev.reprise.activities.workspace.EnsureWorkspace.Patience;
import dev.reprise.proto.agent.AddEnvironmentsRequest;
import dev.reprise.proto.agent.InfoRequest;
import dev.reprise.proto.agent.InstallRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The calls that make a workspace ready; none is made while an operation runs in it. */
final class Preparation {
  /** The agent has to be stopped and started again. */
  static final WorkspaceOutput START_ANEW = new WorkspaceOutput(Outcome.UNREACHABLE, "outdated");

  private static final Duration INSTALL_LIMIT = Duration.ofMinutes(10);

  /** After a longer one there is not time enough for the rest, and much may have changed. */
  private static final Duration SHORT_WAIT = Duration.ofMinutes(1);

  private static final Duration CALL_LIMIT = Duration.ofMinutes(2);
  private static final int EXCERPT = 500;

  private final WorkspaceInput input;
  private final StackSpec spec;
  private final StackInputs inputs;
  private final Patience patience;
  private final Instant end;
  private final Consumer<String> heartbeat;

  Preparation(
      WorkspaceInput input,
      StackSpec spec,
      StackInputs inputs,
      Patience patience,
      Instant start,
      Consumer<String> heartbeat) {
    this.input = input;
    this.spec = spec;
    this.inputs = inputs;
    this.patience = patience;
    this.end = start.plus(patience.whole());
    this.heartbeat = heartbeat;
  }

  /**
   * Makes the calls.
   *
   * @param done what to do once they were made
   */
  WorkspaceOutput run(Placement.Ready ready, Runnable done) throws InterruptedException {
    try (AgentConnection agent = AgentConnection.open(ready.endpoint())) {
      Instant before = patience.clock().instant();
      Occupation occupation = awaitIdle(agent);
      if (occupation == Occupation.SAME_WORK) {
        return WorkspaceOutput.READY;
      }
      if (occupation == Occupation.OTHER_WORK
          || patience.clock().instant().isAfter(before.plus(SHORT_WAIT))) {
        return new WorkspaceOutput(Outcome.BUSY, "an operation ran in the workspace");
      }
      if (ready.outdated()) {
        return START_ANEW;
      }
      if (!ready.prepared()) {
        initialise(agent);
        done.run();
      }
      return WorkspaceOutput.READY;
    } catch (StatusException e) {
      return failed(AgentStatus.of(e));
    } catch (TooSlow e) {
      return new WorkspaceOutput(Outcome.WORKSPACE_FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** What keeps the agent busy once it was waited for. */
  private enum Occupation {
    NONE,
    /**
     * The very work this prepares for, started by a run or worker that was lost: it will be
     * followed instead of made a second time.
     */
    SAME_WORK,
    OTHER_WORK
  }

  /** Waits within its time until the agent is idle, or does what is wanted. */
  private Occupation awaitIdle(AgentConnection agent)
      throws StatusException, InterruptedException, TooSlow {
    String work =
        "%s/%d/%s/".formatted(input.stack().uid(), input.generation(), input.kind().word());
    try {
      Operation current = agent.describe("");
      while (current.getState() == State.STATE_RUNNING) {
        if (OperationId.sameWork(work, current.getId())) {
          return Occupation.SAME_WORK;
        }
        if (!pause(patience.tick().multipliedBy(4))) {
          return Occupation.OTHER_WORK;
        }
        current = agent.describe("");
      }
      return Occupation.NONE;
    } catch (StatusException e) {
      if (!AgentStatus.of(e).unimplemented()) {
        throw e;
      }
      return awaitIdleByInfo(agent) ? Occupation.NONE : Occupation.OTHER_WORK;
    }
  }

  /** An agent without operation ids knows only of the selected stack. */
  private boolean awaitIdleByInfo(AgentConnection agent)
      throws StatusException, InterruptedException, TooSlow {
    try {
      await(agent.futures().selectStack(select()), CALL_LIMIT, "selecting the stack");
    } catch (StatusException e) {
      if (AgentStatus.of(e).beforeSent() == Outcome.WORKSPACE_FAILED) {
        return true; // No such stack, or nothing installed yet: nothing can run either.
      }
      throw e;
    }
    while (inProgress(agent)) {
      long pauses = Math.max(1, patience.betweenInfos().dividedBy(patience.tick()));
      for (long i = 0; i < pauses; i++) {
        if (!pause(patience.tick())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean pause(Duration time) throws InterruptedException {
    heartbeat.accept("waiting for the operation that runs in the workspace");
    Thread.sleep(time);
    return patience.clock().instant().plus(CALL_LIMIT).isBefore(end);
  }

  private boolean inProgress(AgentConnection agent)
      throws StatusException, InterruptedException, TooSlow {
    return await(agent.futures().info(InfoRequest.getDefaultInstance()), CALL_LIMIT, "info")
        .getSummary()
        .getUpdateInProgress();
  }

  private void initialise(AgentConnection agent)
      throws StatusException, InterruptedException, TooSlow {
    boolean sourceFree =
        input.kind() == OperationKind.DESTROY && input.revision().isEmpty() && !spec.runsProgram();
    if (!sourceFree) {
      await(
          agent.futures().install(InstallRequest.getDefaultInstance()),
          INSTALL_LIMIT,
          "installing the program's dependencies");
    }
    await(agent.futures().selectStack(select()), CALL_LIMIT, "selecting the stack");
    if (!inputs.config().isEmpty()) {
      await(
          agent.futures().setAllConfig(ConfigItems.of(inputs.config())),
          CALL_LIMIT,
          "setting the configuration");
    }
    if (!spec.environment().isEmpty()) {
      await(
          agent
              .futures()
              .addEnvironments(
                  AddEnvironmentsRequest.newBuilder()
                      .addAllEnvironment(spec.environment())
                      .build()),
          CALL_LIMIT,
          "adding environments");
    }
  }

  private SelectStackRequest select() {
    SelectStackRequest.Builder select =
        SelectStackRequest.newBuilder()
            .setStackName(spec.stack())
            .setCreate(!spec.useLocalStackOnly());
    if (!spec.secretsProvider().isEmpty()) {
      select.setSecretsProvider(spec.secretsProvider());
    }
    return select.build();
  }

  /** Waits with heartbeats, which throw when the activity is to stop; the call is dropped then. */
  private <T> T await(ListenableFuture<T> call, Duration limit, String what)
      throws StatusException, InterruptedException, TooSlow {
    Instant now = patience.clock().instant();
    Instant last = now.plus(limit).isBefore(end) ? now.plus(limit) : end;
    try {
      while (true) {
        heartbeat.accept(what);
        try {
          return call.get(patience.tick().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (!patience.clock().instant().isBefore(last)) {
            throw new TooSlow(what, Duration.between(now, last));
          }
        }
      }
    } catch (ExecutionException e) {
      Status status = Status.fromThrowable(e);
      String told = status.getDescription();
      throw status
          .withDescription(what + " failed: " + (told == null ? status.getCode() : told))
          .asException();
    } finally {
      call.cancel(true);
    }
  }

  /** A step took longer than it may: the program's fault, not that of the way to it. */
  private static final class TooSlow extends Exception {
    private static final long serialVersionUID = 1;

    TooSlow(String what, Duration limit) {
      super("%s took longer than %d seconds".formatted(what, limit.toSeconds()));
    }
  }

  private WorkspaceOutput failed(AgentStatus status) {
    String text = new Redactor(inputs.secrets()).apply(status.text());
    String shown = Texts.excerpt(text, EXCERPT);
    String message =
        shown.isEmpty()
            ? "the agent answered " + status.code().name().toLowerCase(Locale.ROOT)
            : shown;
    return new WorkspaceOutput(status.beforeSent(), message + status.remedy());
  }
}
