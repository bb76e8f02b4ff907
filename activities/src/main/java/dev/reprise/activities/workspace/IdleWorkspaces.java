package dev.reprise.activities.workspace;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.IdlePolicy;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for workspaces that nothing is to be done in and lets them rest as their Stacks ask. What a
 * Stack's status shows decides: only one that is in sync after a success may rest, so that a failed
 * one keeps its pod for whoever wants to know why.
 */
public final class IdleWorkspaces {
  private static final Logger LOG = LoggerFactory.getLogger(IdleWorkspaces.class);
  private static final long PAGE = 500;

  private final KubernetesClient client;
  private final StackReader reader;
  private final Workspaces workspaces;
  private final InstantSource clock;
  private final long page;

  /**
   * Of the Stacks that this client reads.
   *
   * @param clock tells how long a Stack has been idle
   */
  public IdleWorkspaces(
      KubernetesClient client, StackReader reader, Workspaces workspaces, InstantSource clock) {
    this(client, reader, workspaces, clock, PAGE);
  }

  IdleWorkspaces(
      KubernetesClient client,
      StackReader reader,
      Workspaces workspaces,
      InstantSource clock,
      long page) {
    this.page = page;
    this.client = client;
    this.reader = reader;
    this.workspaces = workspaces;
    this.clock = clock;
  }

  /** Looks at every Stack once. */
  public void rest() {
    String from = "";
    do {
      GenericKubernetesResourceList stacks =
          client
              .genericKubernetesResources(StackObjects.STACKS)
              .inAnyNamespace()
              .list(
                  new ListOptionsBuilder()
                      .withLimit(page)
                      .withContinue(from.isEmpty() ? null : from)
                      .build());
      stacks.getItems().forEach(this::look);
      String next = stacks.getMetadata() == null ? null : stacks.getMetadata().getContinue();
      from = next == null ? "" : next;
    } while (!from.isEmpty());
  }

  /** One that cannot be read, or whose workspace cannot be changed, must not hold up another. */
  private void look(GenericKubernetesResource resource) {
    try {
      Stack stack = reader.read(resource);
      IdlePolicy policy = StackReader.idlePolicy(stack.spec(), resource);
      if (!(policy instanceof IdlePolicy.Keep) && inSync(stack)) {
        rest(stack, policy);
      }
    } catch (SpecInvalid e) {
      LOG.debug("{} keeps its workspace: {}", resource.getMetadata().getName(), e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn(
          "the idle workspace of {}/{} stays as it is; the next round tries again",
          resource.getMetadata().getNamespace(),
          resource.getMetadata().getName(),
          e);
    }
  }

  private static boolean inSync(Stack stack) {
    StackStatus status = stack.status();
    return !stack.identity().deleting()
        && status.lastUpdate().state().equals("succeeded")
        && status.observedGeneration() == stack.identity().generation()
        && status.observedReconcileRequest().equals(stack.identity().reconcileRequest())
        && status.conditions().stream()
            .anyMatch(c -> c.type().equals("Ready") && c.status().equals("True"));
  }

  private void rest(Stack stack, IdlePolicy policy) {
    StackRef ref =
        new StackRef(stack.identity().namespace(), stack.identity().name(), stack.identity().uid());
    LastUpdate last = stack.status().lastUpdate();
    switch (policy) {
      case IdlePolicy.Keep keep -> {}
      case IdlePolicy.Delete delete -> workspaces.rest(ref, false);
      case IdlePolicy.ScaleDown scaleDown -> {
        if (!clock.instant().isBefore(last.lastResyncTime().plus(scaleDown.after()))) {
          workspaces.rest(ref, true);
        }
      }
    }
  }
}
