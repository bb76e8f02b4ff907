package dev.reprise.activities.workspace;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.activities.kube.StackInputs;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackLookups;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.kube.Texts;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Makes a workspace ready for one operation. */
public final class EnsureWorkspace implements WorkspaceActivity {
  private static final int LONGEST_MESSAGE = 1_000;

  private final StackLookups stacks;
  private final StackReader reader;
  private final Inputs inputs;
  private final Workspaces workspaces;
  private final Patience patience;

  /** Follows a Stack's references. */
  @FunctionalInterface
  interface Inputs {
    StackInputs read(Stack stack) throws InputMissing;
  }

  /**
   * How long things may take.
   *
   * @param tick between two looks at what is waited for
   * @param betweenInfos between two questions to an agent without operation ids, each of which
   *     starts a program
   * @param unreachable how long an agent that does not answer is asked again
   * @param whole how long preparing may take in all, within the activity's 15 minutes
   * @param clock tells the time
   */
  record Patience(
      Duration tick,
      Duration betweenInfos,
      Duration unreachable,
      Duration whole,
      InstantSource clock) {
    static final Patience DEFAULT =
        new Patience(
            Duration.ofMillis(250),
            Duration.ofSeconds(15),
            Duration.ofMinutes(2),
            Duration.ofMinutes(14),
            InstantSource.system());
  }

  EnsureWorkspace(
      StackLookups stacks,
      StackReader reader,
      Inputs inputs,
      Workspaces workspaces,
      Patience patience) {
    this.stacks = stacks;
    this.reader = reader;
    this.inputs = inputs;
    this.workspaces = workspaces;
    this.patience = patience;
  }

  /** Workspaces for Stacks read by this client. */
  public static EnsureWorkspace of(
      KubernetesClient client, StackReader reader, Workspaces workspaces) {
    InputsReader inputs = new InputsReader(client);
    return new EnsureWorkspace(
        new StackObjects(client),
        reader,
        stack ->
            stack.identity().deleting()
                ? inputs.readPresent(stack.spec(), stack.identity().namespace())
                : inputs.read(stack.spec(), stack.identity().namespace()),
        workspaces,
        Patience.DEFAULT);
  }

  @Override
  public WorkspaceOutput ensureWorkspace(WorkspaceInput input) {
    Consumer<String> heartbeat = Activity.getExecutionContext()::heartbeat;
    return ensure(input, heartbeat);
  }

  WorkspaceOutput ensure(WorkspaceInput input, Consumer<String> heartbeat) {
    return bounded(whole(input, heartbeat));
  }

  /** The message becomes part of the workflow's history and of a condition; a failure has one. */
  private static WorkspaceOutput bounded(WorkspaceOutput output) {
    String message = Texts.excerpt(output.message(), LONGEST_MESSAGE);
    boolean mute = message.isEmpty() && output.outcome() != Outcome.SUCCEEDED;
    return output(
        output.outcome(), mute ? "the workspace answered " + output.outcome().reason() : message);
  }

  private WorkspaceOutput whole(WorkspaceInput input, Consumer<String> heartbeat) {
    try {
      return switch (stacks.get(input.stack())) {
        case StackLookup.Gone gone -> output(Outcome.SUPERSEDED, "the Stack is gone");
        case StackLookup.Unreadable unreadable -> output(Outcome.SUPERSEDED, unreadable.detail());
        case StackLookup.Found found -> {
          long generation = StackReader.identity(found.resource()).generation();
          yield generation == input.generation()
              ? ensure(input, read(found.resource()), heartbeat)
              : output(Outcome.SUPERSEDED, "generation %d is there now".formatted(generation));
        }
      };
    } catch (SpecInvalid | InputMissing e) {
      return output(Outcome.INPUT_REFUSED, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApplicationFailure.newFailure("this worker is ending; another one goes on", "Detached");
    }
  }

  private Stack read(GenericKubernetesResource resource) throws SpecInvalid {
    return StackReader.identity(resource).deleting()
        ? reader.readForDeletion(resource)
        : reader.read(resource);
  }

  private WorkspaceOutput ensure(WorkspaceInput input, Stack stack, Consumer<String> heartbeat)
      throws InputMissing, InterruptedException {
    StackInputs given = inputs.read(stack);
    Instant start = patience.clock().instant();
    WorkspaceRequest request =
        new WorkspaceRequest(
            input.stack(),
            stack.spec(),
            input.revision(),
            environment(given),
            given.everything(),
            purpose(stack),
            start);
    Instant lastAnswer = start;
    boolean renewed = false;
    while (true) {
      switch (workspaces.place(request)) {
        case Placement.Refused refused -> {
          return refused.why();
        }
        case Placement.Starting starting -> {
          if (!patience.clock().instant().isBefore(start.plus(patience.whole()))) {
            return output(Outcome.UNREACHABLE, "still waiting for " + starting.waitingFor());
          }
          pause(heartbeat, starting.waitingFor(), starting.askAgain());
          lastAnswer = patience.clock().instant();
        }
        case Placement.Ready ready -> {
          Preparation preparation =
              new Preparation(input, stack.spec(), given, patience, start, heartbeat);
          WorkspaceOutput output =
              preparation.run(ready, () -> workspaces.prepared(input.stack(), ready.instance()));
          if (output.equals(Preparation.START_ANEW)) {
            workspaces.stop(input.stack());
          } else if (output.outcome() == Outcome.ACCESS_DENIED && !renewed) {
            renewed = true; // Placed again, it comes with a fresh token.
          } else if (output.outcome() != Outcome.UNREACHABLE || longEnough(lastAnswer)) {
            return output;
          }
          pause(heartbeat, "its agent", Duration.ZERO);
        }
      }
    }
  }

  private boolean longEnough(Instant lastAnswer) {
    return !patience.clock().instant().isBefore(lastAnswer.plus(patience.unreachable()));
  }

  /** An agent masks secrets itself, so that it does not matter what they are by then. */
  private static Map<String, String> environment(StackInputs given) {
    Map<String, String> environment = new TreeMap<>(given.environment());
    if (!given.secretVariables().isEmpty()) {
      String names = String.join(",", new TreeSet<>(given.secretVariables()));
      environment.put(AgentLauncher.SECRETS_VARIABLE, names);
    }
    return environment;
  }

  private static Purpose purpose(Stack stack) {
    if (!stack.identity().deleting()) {
      return new Purpose.Operation();
    }
    LastUpdate last = stack.status().lastUpdate();
    return new Purpose.Deletion(
        stack.status().projectInfo(),
        last.lastSuccessfulCommit().isEmpty()
            ? last.lastAttemptedCommit()
            : last.lastSuccessfulCommit());
  }

  /** Beats all the while, so that a cancellation is heard. */
  private void pause(Consumer<String> heartbeat, String waitingFor, Duration time)
      throws InterruptedException {
    for (long left = Math.max(1, time.dividedBy(patience.tick())); left > 0; left--) {
      heartbeat.accept("waiting for " + Texts.excerpt(waitingFor, LONGEST_MESSAGE));
      Thread.sleep(patience.tick());
    }
  }

  private static WorkspaceOutput output(Outcome outcome, String message) {
    return new WorkspaceOutput(outcome, message);
  }
}
