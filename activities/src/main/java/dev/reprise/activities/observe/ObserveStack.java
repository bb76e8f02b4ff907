package dev.reprise.activities.observe;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.kube.Texts;
import dev.reprise.activities.prerequisite.Prerequisites;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.InputsDigest;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.status.CurrentUpdate;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.ObserveActivity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Policy;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.WaitingFor;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.security.Key;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** One snapshot of a Stack and of everything it refers to. */
public final class ObserveStack implements ObserveActivity {
  private static final String SPEC_INVALID = "SpecInvalid";
  private static final int LONGEST_MESSAGE = 1_000;

  private final StackObjects stacks;
  private final StackReader reader;
  private final InputsReader inputs;
  private final RevisionReader revisions;
  private final Prerequisites prerequisites;
  private final Settings settings;

  /**
   * What is the same for all Stacks.
   *
   * @param defaults for a Stack whose spec cannot be read
   * @param searchAttributes the names registered with the Temporal namespace
   * @param keyId names the key of digests; without a colon
   * @param key the installation's key, so that a digest does not give a short secret away
   * @param localGit whether programs may lie on this machine's disk, in folders and in git
   *     repositories
   */
  public record Settings(
      dev.reprise.stack.spec.Policy defaults,
      List<String> searchAttributes,
      String keyId,
      Key key,
      boolean localGit) {}

  /** Observes through this client. */
  public ObserveStack(
      KubernetesClient client, StackReader reader, Settings settings, InstantSource clock) {
    this.stacks = new StackObjects(client);
    this.reader = reader;
    this.inputs = new InputsReader(client);
    this.revisions = new RevisionReader(client, inputs, clock, settings.localGit());
    this.prerequisites = new Prerequisites(client, reader, clock);
    this.settings = settings;
  }

  @Override
  public Observation observe(StackRef stack) {
    return switch (stacks.get(stack)) {
      case StackLookup.Gone gone -> Observation.gone();
      case StackLookup.Unreadable unreadable -> Observation.unreadable(unreadable.detail());
      case StackLookup.Found found -> observe(found.resource());
    };
  }

  private Observation observe(GenericKubernetesResource resource) {
    StackIdentity identity = StackReader.identity(resource);
    StackStatus status = StackReader.status(resource);
    Asked asked;
    String retryPolicy = StackReader.INVALID;
    try {
      Stack stack = reader.read(resource);
      retryPolicy = stack.policy().retryInShort();
      asked = asked(stack, StackReader.ignoresInputs(resource));
    } catch (SpecInvalid e) {
      // A deletion still wants its destroy if the field that asks for it can be read.
      asked =
          Asked.invalid(
              settings.defaults(), destroyAsked(resource), Obstacle.input(SPEC_INVALID, words(e)));
    }
    boolean mayHaveStarted =
        identity.upStarted()
            || !status.lastUpdate().equals(LastUpdate.NONE)
            || !status.currentUpdate().equals(CurrentUpdate.NONE)
            || !status.outputs().isEmpty();
    return new Observation(
        Observation.Presence.PRESENT,
        "",
        identity.generation(),
        identity.deleting(),
        identity.finalizerPresent(),
        identity.upStarted(),
        mayHaveStarted,
        asked.destroyOnDelete(),
        asked.kind(),
        identity.reconcileRequest(),
        StackReader.reconcileReason(resource),
        identity.pause(),
        policy(asked.policy(), retryPolicy),
        asked.revision(),
        asked.inputs(),
        asked.obstacle(),
        asked.waitingFor(),
        status.retry().sequence(),
        Seed.of(identity, status, mayHaveStarted),
        settings.searchAttributes());
  }

  private Asked asked(Stack stack, boolean ignoresInputs) {
    boolean preview = stack.spec().preview();
    Asked asked =
        new Asked(
            stack.policy(),
            preview ? OperationKind.PREVIEW : kind(stack),
            stack.spec().destroyOnFinalize() && !preview,
            "",
            "",
            Obstacle.NONE,
            WaitingFor.NOTHING);
    if (stack.identity().deleting()) {
      return asked;
    }
    String namespace = stack.identity().namespace();
    try {
      // Read in any case: what is missing has to be said before the attempt.
      SortedMap<String, String> referenced = inputs.read(stack.spec(), namespace).referenced();
      String digest =
          ignoresInputs ? "" : InputsDigest.of(settings.keyId(), settings.key(), referenced);
      String revision = revisions.of(Source.of(stack.spec()), namespace);
      return asked.with(revision, digest, prerequisites.of(stack, asked.kind(), revision));
    } catch (InputMissing e) {
      return asked.with(Obstacle.input(SPEC_INVALID, words(e)));
    } catch (SourceUnavailable e) {
      return asked.with(Obstacle.source(words(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApplicationFailure.newFailure("this worker is ending; another one looks", "Detached");
    }
  }

  /** They become part of the history and of a condition; a path may hold a long key. */
  private static String words(Exception e) {
    return Texts.excerpt(String.valueOf(e.getMessage()), LONGEST_MESSAGE);
  }

  private static OperationKind kind(Stack stack) {
    String type = stack.spec().updateTemplate().path("spec").path("type").asString("");
    for (OperationKind kind : OperationKind.values()) {
      if (kind.word().equals(type)) {
        return kind;
      }
    }
    return OperationKind.UP;
  }

  private static boolean destroyAsked(GenericKubernetesResource resource) {
    return resource.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
        && Boolean.TRUE.equals(spec.get("destroyOnFinalize"))
        && !Boolean.TRUE.equals(spec.get("preview"));
  }

  private static Policy policy(dev.reprise.stack.spec.Policy policy, String shown) {
    return new Policy(
        new RetryPolicy(
            policy.initialBackoff(),
            policy.maxBackoff(),
            (int) Math.min(Integer.MAX_VALUE, policy.failureLimit()),
            (int) Math.min(Integer.MAX_VALUE, policy.stalledAfter())),
        policy.resync(),
        policy.idleTimeout(),
        policy.timeout(),
        shown);
  }

  /** What the spec asks for, and what stands in its way. */
  private record Asked(
      dev.reprise.stack.spec.Policy policy,
      OperationKind kind,
      boolean destroyOnDelete,
      String revision,
      String inputs,
      Obstacle obstacle,
      WaitingFor waitingFor) {

    static Asked invalid(
        dev.reprise.stack.spec.Policy defaults, boolean destroyOnDelete, Obstacle obstacle) {
      return new Asked(
          defaults, OperationKind.UP, destroyOnDelete, "", "", obstacle, WaitingFor.NOTHING);
    }

    Asked with(String newRevision, String newInputs, WaitingFor newWaitingFor) {
      return new Asked(
          policy, kind, destroyOnDelete, newRevision, newInputs, obstacle, newWaitingFor);
    }

    Asked with(Obstacle newObstacle) {
      return new Asked(policy, kind, destroyOnDelete, "", "", newObstacle, WaitingFor.NOTHING);
    }
  }
}
