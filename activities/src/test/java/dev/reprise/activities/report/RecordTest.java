package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.observe.ObserveStack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run remembers is read back from the Stack as it was, so that a lost run loses nothing. */
@Timeout(120)
class RecordTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final int STATES = 60;
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
  private static final List<OperationKind> KINDS = List.of(OperationKind.values());
  private static final List<String> TEXTS =
      List.of("boom: \"no\" such thing {x} ü", "true", "0", "null", "a b");

  private Cluster cluster = Cluster.start();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void anyStateIsReadBackFromTheStatus() {
    readBack(20261201);
  }

  @Test
  void anyStateIsReadBackFromTheAnnotationWhereTheDefinitionHasNoPlaceForIt() {
    cluster.close();
    cluster = Cluster.bare();
    CustomResourceDefinition crd = Crds.stack();
    for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
      Map<String, JSONSchemaProps> fields =
          version.getSchema().getOpenAPIV3Schema().getProperties();
      fields.getOrDefault("status", new JSONSchemaProps()).getProperties().remove("retry");
    }
    cluster.client.resource(crd).create();
    readBack(20261202);
  }

  private void readBack(long seed) {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    ReportStatus report = new ReportStatus(StackObjects.limited(cluster.client), "test", () -> NOW);
    ObserveStack observe =
        new ObserveStack(
            StackObjects.limited(cluster.client),
            new StackReader(Policy.DEFAULTS),
            new ObserveStack.Settings(
                Policy.DEFAULTS,
                List.of(),
                "k1",
                new SecretKeySpec(new byte[] {1, 2, 3}, "HmacSHA256"),
                true),
            () -> NOW);
    Random random = new Random(seed);
    for (long sequence = 1; sequence <= STATES; sequence++) {
      StackState state = state(random, sequence);
      assertThat(report.report(input(stack, state)).written()).isTrue();
      assertThat(observe.observe(stack).seed())
          .as("state %d of seed %d", sequence, seed)
          .isEqualTo(recorded(state));
    }
  }

  /** The state but for what is not worth recording, each with its reason. */
  private static StackState recorded(StackState state) {
    LastUpdate update = state.lastUpdate();
    return new StackState(
        state.failures(),
        state.inARow(),
        // How often in a row a source was away: its first questions come sooner again.
        0,
        state.attempt(),
        state.upStarted(),
        state.last(),
        new LastUpdate(
            update.name(),
            update.kind(),
            update.generation(),
            update.reconcileRequest(),
            update.succeeded(),
            update.message(),
            update.attemptedRevision(),
            update.successfulRevision(),
            update.permalink(),
            // A field of the Pulumi Kubernetes Operator in whole seconds, which nothing waits for.
            update.endTime().truncatedTo(ChronoUnit.SECONDS)),
        state.hold(),
        // A request for which nobody gave a reason is told from none by one.
        state.request().present() && state.request().reason().isEmpty()
            ? PendingRetry.of(state.request().resetFailures(), "requested")
            : state.request(),
        state.underway(),
        state.sequence());
  }

  /** The last update only ever comes into being, as a Stack's does. */
  private static StackState state(Random random, long sequence) {
    LastUpdate update = sequence < 10 ? LastUpdate.NONE : update(random);
    return new StackState(
        random.nextInt(40),
        1 + random.nextInt(5),
        random.nextInt(3),
        random.nextInt(60),
        random.nextBoolean(),
        attempt(random),
        update,
        random.nextBoolean() ? "" : text(random),
        switch (random.nextInt(3)) {
          case 0 -> PendingRetry.NONE;
          case 1 -> PendingRetry.of(random.nextBoolean(), "");
          default -> PendingRetry.of(random.nextBoolean(), text(random));
        },
        random.nextBoolean() ? Underway.NONE : underway(random),
        sequence);
  }

  private static LastAttempt attempt(Random random) {
    Outcome outcome = any(OUTCOMES, random);
    return underway(random)
        .ended(outcome, outcome == Outcome.SUCCEEDED ? "" : text(random), time(random));
  }

  private static Underway underway(Random random) {
    return new Underway(
        any(KINDS, random),
        1 + random.nextInt(9),
        random.nextBoolean(),
        random.nextBoolean() ? "" : text(random),
        random.nextBoolean() ? "" : text(random),
        random.nextBoolean() ? "" : "v1:k1:" + random.nextInt(1000),
        random.nextBoolean() ? "" : "web-" + Long.toHexString(random.nextInt(1 << 20)));
  }

  private static LastUpdate update(Random random) {
    boolean succeeded = random.nextBoolean();
    return new LastUpdate(
        "web-" + Long.toHexString(random.nextInt(1 << 20)),
        any(KINDS, random),
        1 + random.nextInt(9),
        random.nextBoolean() ? "" : text(random),
        succeeded,
        succeeded ? "" : text(random),
        random.nextBoolean() ? "" : text(random),
        random.nextBoolean() ? "" : text(random),
        random.nextBoolean() ? "" : text(random),
        time(random));
  }

  private static Instant time(Random random) {
    return NOW.minusMillis(random.nextInt(1 << 30));
  }

  private static String text(Random random) {
    return any(TEXTS, random);
  }

  private static <T> T any(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private static ReportInput input(StackRef stack, StackState state) {
    return new ReportInput(
        stack,
        new Looked(1, ""),
        1,
        "",
        List.of(),
        state,
        "",
        "",
        Instant.EPOCH,
        NOW.plusSeconds(60),
        List.of());
  }
}
