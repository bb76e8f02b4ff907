package dev.reprise.activities.prerequisite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.PrerequisiteActivity.RequestInput;
import dev.reprise.workflows.activity.PrerequisiteActivity.RequestOutput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.RunRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestRunsTest extends PrerequisiteFixture {
  private static final String TOKEN = "pulumi.com/reconciliation-request";
  private static final String REASON = "reprise.dev/reconciliation-reason";
  private static final RequestOutput NOTHING = new RequestOutput(List.of(), List.of());

  private StackRef web = new StackRef("", "", "");
  private StackRef db = new StackRef("", "", "");

  @BeforeEach
  void oneThatIsOutOfDate() {
    db = stack("db", Map.of());
    web = needing("web", Map.of("succeededWithinDuration", "1h"), "db");
    ended(db, 1, "succeeded", LONG_AGO);
  }

  @Test
  void theTokenIsSetWithItsReasonUnderThePulumiKubernetesOperatorsName() {
    assertThat(ask(web)).isEqualTo(new RequestOutput(List.of("db"), List.of()));

    assertThat(annotation(db, TOKEN)).isEqualTo("after-db-1");
    assertThat(annotation(db, REASON))
        .isEqualTo("after-db-1: apps/web waits for it and needs a success younger than 1h");
    assertThat(cluster.get(db).getMetadata().getManagedFields())
        .anySatisfy(
            entry -> {
              assertThat(entry.getManager())
                  .isEqualTo("pulumi-kubernetes-operator/prerequisite-request");
              assertThat(entry.getOperation()).isEqualTo("Apply");
            });
    assertThat(cluster.get(db).getMetadata().getGeneration()).isEqualTo(1);
    assertThat(only(web)).isEqualTo("prerequisite db has been asked to run again");
  }

  @Test
  void itIsAskedOncePerLastUpdateAlsoByManyAndAlsoWhenTheTokenIsSetBack() {
    StackRef api = needing("api", Map.of("succeededWithinDuration", "1h"), "db");
    List<RunRequest> webs = look(web).outOfDate();
    List<RunRequest> apis = look(api).outOfDate();
    requests.requestRuns(new RequestInput(web, webs));
    String version = cluster.get(db).getMetadata().getResourceVersion();

    assertThat(requests.requestRuns(new RequestInput(web, webs))).isEqualTo(NOTHING);
    assertThat(requests.requestRuns(new RequestInput(api, apis))).isEqualTo(NOTHING);
    assertThat(cluster.get(db).getMetadata().getResourceVersion()).isEqualTo(version);

    cluster.patch(db, "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(TOKEN));
    assertThat(requests.requestRuns(new RequestInput(api, apis))).isEqualTo(NOTHING);
    assertThat(annotation(db, TOKEN)).isEmpty();
    assertThat(look(web).outOfDate()).isEmpty();
    assertThat(only(web)).contains("somebody set the request back", "retry it by hand");

    ended(db, 2, "succeeded", LONG_AGO);
    assertThat(ask(web).asked()).containsExactly("db");
    assertThat(annotation(db, TOKEN)).isEqualTo("after-db-2");
  }

  @Test
  void aTokenSomebodySetAtCreationIsReplaced() {
    annotate(db, TOKEN, "before-first-update");
    lastUpdate(db, "\"reconcileRequest\":\"before-first-update\"");

    assertThat(ask(web).asked()).containsExactly("db");
    assertThat(annotation(db, TOKEN)).isEqualTo("after-db-1");
  }

  @Test
  void whatMovedOnSinceItWasLookedAtIsLeftAlone() {
    List<RunRequest> looked = look(web).outOfDate();
    for (Runnable move :
        List.<Runnable>of(
            () -> shows(db, "Reconciling", "StackProcessing"),
            () -> shows(db, "Stalled", "SpecInvalid"),
            () -> annotate(db, "reprise.dev/paused", "true"),
            () -> ended(db, 2, "succeeded", LATELY),
            () -> ended(db, 1, "failed", LATELY),
            () -> cluster.patch(db, "{\"spec\":{\"backend\":\"x\"}}"),
            () -> annotate(db, TOKEN, "now"))) {
      cluster.patch(
          db,
          "{\"spec\":{\"backend\":null},\"metadata\":{\"annotations\":{\"reprise.dev/paused\":null,\"%s\":null}}}"
              .formatted(TOKEN));
      shows(db, "Ready", "ProcessingCompleted");
      ended(db, 1, "succeeded", LONG_AGO);
      lastUpdate(db, "\"generation\":" + cluster.get(db).getMetadata().getGeneration());
      move.run();

      assertThat(requests.requestRuns(new RequestInput(web, looked))).isEqualTo(NOTHING);
      assertThat(annotation(db, REASON)).isEmpty();
    }
  }

  @Test
  void oneThatIsGoneIsNotCreatedAnewAndItsNamesakeNotAsked() {
    List<RunRequest> looked = look(web).outOfDate();
    cluster.named(db).delete();
    assertThat(requests.requestRuns(new RequestInput(web, looked))).isEqualTo(NOTHING);
    assertThat(cluster.named(db).get()).isNull();

    StackRef namesake = stack("db", Map.of());
    ended(namesake, 1, "succeeded", LONG_AGO);
    assertThat(requests.requestRuns(new RequestInput(web, looked))).isEqualTo(NOTHING);
    assertThat(annotation(namesake, TOKEN)).isEmpty();
  }

  @Test
  void withoutTheRightToPatchTheRuleToGrantIsNamed() {
    cluster.server.faults().answer(1, request -> request.verb().equals("patch"), 403);

    assertThat(ask(web))
        .isEqualTo(
            new RequestOutput(
                List.of(),
                List.of(
                    "prerequisite db cannot be asked to run: grant patch on stacks in pulumi.com in"
                        + " namespace apps")));
  }

  @Test
  void aWriteBetweenTheLookAndTheRequestIsLookedAtAgain() {
    cluster.server.faults().answer(1, request -> request.verb().equals("patch"), 409);

    assertThat(ask(web).asked()).containsExactly("db");
  }
}
