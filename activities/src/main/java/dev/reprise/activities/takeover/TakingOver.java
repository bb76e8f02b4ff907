package dev.reprise.activities.takeover;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.activities.workspace.pod.Refusals;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Workspaces that first take over what the Pulumi Kubernetes Operator left of a Stack. */
public final class TakingOver implements Workspaces {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final TakeOver takeOver;
  private final Workspaces workspaces;
  private final BooleanSupplier allowed;

  /**
   * Takes over before these are asked.
   *
   * @param allowed whether that operator does not work now; while it does, nothing is placed
   */
  public TakingOver(TakeOver takeOver, Workspaces workspaces, BooleanSupplier allowed) {
    this.takeOver = takeOver;
    this.workspaces = workspaces;
    this.allowed = allowed;
  }

  private Optional<String> waitingFor(StackRef stack) {
    return allowed.getAsBoolean()
        ? takeOver.of(stack)
        : Optional.of("the Pulumi Kubernetes Operator to be scaled down");
  }

  @Override
  public Placement place(WorkspaceRequest request) {
    try {
      Optional<String> waitingFor = waitingFor(request.stack());
      if (waitingFor.isPresent()) {
        return new Placement.Starting(waitingFor.get(), SOON);
      }
    } catch (KubernetesClientException e) {
      return Refusals.of(e, request.stack());
    }
    return workspaces.place(request);
  }

  /** Asked before a Stack is let go, so that nothing of it is left behind unmarked. */
  @Override
  public boolean running(StackRef stack) {
    Optional<String> waitingFor = waitingFor(stack);
    if (waitingFor.isPresent()) {
      throw ApplicationFailure.newFailure("waiting for " + waitingFor.get(), "TakingOver");
    }
    return workspaces.running(stack);
  }

  @Override
  public void prepared(StackRef stack, String instance) {
    workspaces.prepared(stack, instance);
  }

  @Override
  public Optional<Endpoint> locate(StackRef stack) {
    return workspaces.locate(stack);
  }

  @Override
  public void stop(StackRef stack) {
    workspaces.stop(stack);
  }

  @Override
  public void rest(StackRef stack, boolean keepObjects) {
    workspaces.rest(stack, keepObjects);
  }

  @Override
  public void delete(StackRef stack) {
    workspaces.delete(stack);
  }

  @Override
  public int sweep(Predicate<StackRef> gone) {
    return workspaces.sweep(gone);
  }
}
