package dev.reprise.activities;

import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.observe.ObserveStack;
import dev.reprise.activities.operation.RunOperation;
import dev.reprise.activities.prerequisite.RequestRuns;
import dev.reprise.activities.report.ReportStatus;
import dev.reprise.activities.report.StackFinalizer;
import dev.reprise.activities.workspace.EnsureWorkspace;
import dev.reprise.activities.workspace.IdleWorkspaces;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.Key;
import java.time.InstantSource;
import java.util.List;

/**
 * The implementations for a worker, by task queue.
 *
 * @param stacks short calls to the API server: observe, request runs, report, mark, release
 * @param workspaces preparing workspaces
 * @param operations following operations
 */
public record Activities(List<Object> stacks, List<Object> workspaces, List<Object> operations) {

  /**
   * What they are made of.
   *
   * @param client the cluster; used with an own limit on each call
   * @param cluster the cluster's short name, as events show it
   * @param defaults the policy of Stacks that ask for nothing of their own
   * @param searchAttributes the names that could be registered with the Temporal namespace
   * @param keyId names the key, without a colon; another id makes digests incomparable, not wrong
   * @param key the installation's key for HMAC-SHA256
   * @param localGit whether programs may lie on this machine's disk, in folders and in git
   *     repositories; not with workspaces elsewhere
   * @param placement where operations run
   * @param clock tells the time
   */
  public record Dependencies(
      KubernetesClient client,
      String cluster,
      Policy defaults,
      List<String> searchAttributes,
      String keyId,
      Key key,
      boolean localGit,
      Workspaces placement,
      InstantSource clock) {}

  /** Builds all of them. */
  public static Activities of(Dependencies with) {
    KubernetesClient client = StackObjects.limited(with.client());
    StackReader reader = new StackReader(with.defaults());
    return new Activities(
        List.of(
            new ObserveStack(
                client,
                reader,
                new ObserveStack.Settings(
                    with.defaults(),
                    with.searchAttributes(),
                    with.keyId(),
                    with.key(),
                    with.localGit()),
                with.clock()),
            new RequestRuns(client),
            new ReportStatus(client, with.cluster(), with.clock()),
            new StackFinalizer(client, with.placement(), with.cluster(), with.clock())),
        List.of(EnsureWorkspace.of(client, reader, with.placement())),
        List.of(RunOperation.of(client, reader, with.placement())));
  }

  /**
   * Deletes workspaces whose Stack is verifiably gone; one that cannot be read keeps its own.
   *
   * @return how many
   */
  public static int sweep(KubernetesClient client, Workspaces workspaces) {
    StackObjects stacks = new StackObjects(StackObjects.limited(client));
    return workspaces.sweep(stack -> stacks.get(stack) instanceof StackLookup.Gone);
  }

  /**
   * Lets the workspaces of Stacks that are in sync rest, as each Stack asks.
   *
   * @param defaults the policy of Stacks that ask for nothing of their own
   */
  public static void restIdle(
      KubernetesClient client, Policy defaults, Workspaces workspaces, InstantSource clock) {
    new IdleWorkspaces(StackObjects.limited(client), new StackReader(defaults), workspaces, clock)
        .rest();
  }
}
