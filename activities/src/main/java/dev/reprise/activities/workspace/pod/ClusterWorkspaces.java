package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.SourceObjects;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackLookups;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import dev.reprise.activities.workspace.pod.ProgramResolver.MovedOn;
import dev.reprise.activities.workspace.pod.WantedObjects.Choice;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.Key;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workspaces as pods of a cluster. Nothing is remembered between two calls: what there is, is read
 * from the API server each time, so that any worker goes on where another stopped. A pod in which
 * an operation may run is neither changed nor deleted.
 */
public final class ClusterWorkspaces implements Workspaces {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWorkspaces.class);
  private static final Duration SLOWLY = Duration.ofSeconds(5);

  private final WorkspaceApi api;
  private final StackLookups stacks;
  private final WantedObjects wanted;
  private final PodWait podWait;
  private final Settings settings;
  private final AgentProbe probe;

  /**
   * What is the same for all.
   *
   * @param pods what an operator says about pods
   * @param address where agents are dialled
   * @param credentials for calls to them
   * @param keyId names the key, without a colon
   * @param key the installation's key for HMAC-SHA256
   * @param clock tells how long something has been broken
   */
  public record Settings(
      PodSettings pods,
      AgentAddress address,
      AgentCredentials credentials,
      String keyId,
      Key key,
      InstantSource clock) {}

  /** Workspaces in the cluster of this client, which gets an own limit on each call. */
  public ClusterWorkspaces(KubernetesClient client, Settings settings) {
    this(client, settings, AgentProbe.BY_CALL);
  }

  ClusterWorkspaces(KubernetesClient client, Settings settings, AgentProbe probe) {
    KubernetesClient limited = StackObjects.limited(client);
    this.api = new WorkspaceApi(limited);
    this.stacks = new StackObjects(limited);
    this.wanted =
        new WantedObjects(
            new ProgramResolver(new SourceObjects(limited)),
            settings.pods(),
            settings.keyId(),
            settings.key());
    this.podWait = new PodWait(api, settings.clock(), this::mayBeReplaced);
    this.settings = settings;
    this.probe = probe;
  }

  @Override
  public Placement place(WorkspaceRequest request) {
    StackRef stack = request.stack();
    try {
      SetState set = api.set(stack);
      if (set.exists() && set.deleting()) {
        return new Placement.Starting("the former StatefulSet to be gone", Duration.ofSeconds(1));
      }
      if (set.exists() && !set.stackUid().equals(stack.uid())) {
        return others(stack, set);
      }
      return place(request, set);
    } catch (SpecInvalid | InputMissing e) {
      return refused(Outcome.INPUT_REFUSED, e);
    } catch (SourceUnavailable e) {
      return refused(Outcome.SOURCE_UNAVAILABLE, e);
    } catch (MovedOn e) {
      return refused(Outcome.SUPERSEDED, e);
    } catch (KubernetesClientException e) {
      return Refusals.of(e, stack);
    }
  }

  private Placement place(WorkspaceRequest request, SetState set)
      throws SpecInvalid, SourceUnavailable, InputMissing, MovedOn {
    StackRef stack = request.stack();
    PodState pod = api.pod(stack);
    Choice choice;
    try {
      choice = wanted.of(request);
    } catch (SourceUnavailable | InputMissing | MovedOn e) {
      if (set.exists() && set.replicas() > 0 && request.purpose() instanceof Purpose.Deletion) {
        return settled(request, set, pod); // Whatever there is will do.
      }
      throw e;
    }
    if (pod.running() && !api.hasService(stack)) {
      api.applyService(stack, choice.make().service());
      return new Placement.Starting("its Service to be known", PodWait.SOON);
    }
    if (set.replicas() > 0 && choice.includes(set)) {
      return settled(request, set, pod);
    }
    return mayBeReplaced(stack, pod)
        ? apply(stack, set, choice.make())
        : new Placement.Ready(endpoint(stack), true, pod.uid(), pod.prepared());
  }

  /** Of an earlier Stack of the same name, or somebody else's. */
  private Placement others(StackRef stack, SetState set) {
    if (set.stackUid().isEmpty()) {
      return Refusals.notOurs(stack, set);
    }
    StackRef other = new StackRef(stack.namespace(), stack.name(), set.stackUid());
    if (stacks.get(other) instanceof StackLookup.Gone && !running(other)) {
      delete(other);
    }
    return new Placement.Starting(
        "the workspace of another Stack of this name (uid " + set.stackUid() + ") to be gone",
        SLOWLY);
  }

  private Placement apply(StackRef stack, SetState set, WorkspaceObjects objects) {
    api.applyService(stack, objects.service());
    objects.configMaps().forEach(configMap -> api.applyConfigMap(stack, configMap));
    try {
      api.applySet(stack, objects.statefulSet());
    } catch (KubernetesClientException e) {
      if (e.getCode() != Refusals.UNPROCESSABLE || !set.exists()) {
        throw e;
      }
      // Either it could not be made at all, or what is there cannot be changed into it.
      api.tryCreating(stack, objects.statefulSet());
      api.deleteSet(stack);
      return new Placement.Starting(
          "the former StatefulSet to be gone, as it cannot be changed into the wanted one");
    }
    return new Placement.Starting(
        "StatefulSet " + Names.object(stack.name()) + " to make its pod", PodWait.SOON);
  }

  private Placement settled(WorkspaceRequest request, SetState set, PodState pod) {
    StackRef stack = request.stack();
    String waitingFor =
        Readiness.waitingFor(Names.object(stack.name()), Names.pod(stack.name()), set, pod);
    return waitingFor.isEmpty()
        ? new Placement.Ready(endpoint(stack), false, pod.uid(), pod.prepared())
        : podWait.placement(request, set, pod, waitingFor);
  }

  private Endpoint endpoint(StackRef stack) {
    return settings.address().of(stack, settings.credentials().towards(Names.audience(stack)));
  }

  @Override
  public void prepared(StackRef stack, String instance) {
    api.markPrepared(stack, instance);
  }

  @Override
  public Optional<Endpoint> locate(StackRef stack) {
    PodState pod = api.pod(stack);
    return ours(stack, pod) && pod.running() ? Optional.of(endpoint(stack)) : Optional.empty();
  }

  @Override
  public boolean running(StackRef stack) {
    PodState pod = api.pod(stack);
    return ours(stack, pod) && !mayBeReplaced(stack, pod);
  }

  private static boolean ours(StackRef stack, PodState pod) {
    return pod.exists() && pod.stackUid().equals(stack.uid());
  }

  /**
   * Whether no operation ends with this pod. None was ever sent to one that is not prepared, so
   * that its agent need not even answer: another spec may be what makes it do so.
   */
  private boolean mayBeReplaced(StackRef stack, PodState pod) {
    if (!pod.running() || !pod.prepared()) {
      return true;
    }
    Activity activity = probe.ask(endpoint(stack));
    return activity == Activity.IDLE || activity == Activity.ABSENT;
  }

  @Override
  public void stop(StackRef stack) {
    PodState pod = api.pod(stack);
    if (ours(stack, pod)) {
      api.deletePod(stack, pod.uid());
    }
  }

  @Override
  public void rest(StackRef stack, boolean keepObjects) {
    SetState set = api.set(stack);
    if (!set.stackUid().equals(stack.uid()) || set.deleting() || running(stack)) {
      return;
    }
    if (!keepObjects) {
      delete(stack);
    } else if (set.replicas() > 0) {
      api.scaleDown(stack);
    }
  }

  @Override
  public void delete(StackRef stack) {
    SetState set = api.set(stack);
    if (set.stackUid().equals(stack.uid()) && !set.deleting()) {
      api.deleteSet(stack);
    }
    if (api.hasService(stack)) {
      api.deleteService(stack);
    }
    api.deleteProgram(stack);
  }

  @Override
  public int sweep(Predicate<StackRef> gone) {
    int deleted = 0;
    for (StackRef stack : api.all()) {
      try {
        if (gone.test(stack) && !running(stack)) {
          delete(stack);
          deleted++;
        }
      } catch (RuntimeException e) {
        LOG.warn("the workspace of {} could not be swept; the next round tries again", stack, e);
      }
    }
    return deleted;
  }

  private static Placement refused(Outcome outcome, Exception why) {
    return new Placement.Refused(new WorkspaceOutput(outcome, String.valueOf(why.getMessage())));
  }
}
