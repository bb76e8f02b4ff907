package dev.reprise.activities.operation;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.workflows.activity.StackRef;
import java.util.Optional;
import java.util.function.Predicate;

/** Workspaces whose agent is where a test says. */
final class FakeWorkspaces implements Workspaces {
  volatile Optional<Endpoint> endpoint = Optional.empty();

  @Override
  public Placement place(WorkspaceRequest request) {
    throw new AssertionError("an operation makes no workspace");
  }

  @Override
  public void prepared(StackRef stack, String instance) {
    throw new AssertionError("an operation prepares nothing");
  }

  @Override
  public void rest(StackRef stack, boolean keepObjects) {
    throw new AssertionError("an operation lets nothing rest");
  }

  @Override
  public Optional<Endpoint> locate(StackRef stack) {
    return endpoint;
  }

  @Override
  public boolean running(StackRef stack) {
    throw new AssertionError("an operation ends no agent");
  }

  @Override
  public void stop(StackRef stack) {
    throw new AssertionError("an operation stops no agent");
  }

  @Override
  public void delete(StackRef stack) {
    throw new AssertionError("an operation deletes no workspace");
  }

  @Override
  public int sweep(Predicate<StackRef> gone) {
    throw new AssertionError("an operation sweeps nothing");
  }
}
