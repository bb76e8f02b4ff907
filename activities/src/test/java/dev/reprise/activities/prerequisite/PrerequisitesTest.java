package dev.reprise.activities.prerequisite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.RunRequest;
import dev.reprise.workflows.decision.WaitingFor;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrerequisitesTest extends PrerequisiteFixture {
  private static final Map<String, Object> ANY = Map.of();
  private static final Map<String, Object> WITHIN_1H = Map.of("succeededWithinDuration", "1h");
  private static final Map<String, Object> SAME = Map.of("sameRevision", true);

  @Test
  void aPrerequisiteHasToHaveSucceededForItsOwnGenerationAndToken() {
    StackRef web = needing("web", ANY, "db");
    assertThat(only(web)).isEqualTo("prerequisite db does not exist");

    StackRef db = stack("db", Map.of());
    assertThat(only(web)).isEqualTo("prerequisite db has not run yet");
    ended(db, 1, "failed", LATELY);
    assertThat(only(web)).isEqualTo("prerequisite db has not succeeded");
    ended(db, 2, "succeeded", LONG_AGO);
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);

    annotate(db, "pulumi.com/reconciliation-request", "now");
    assertThat(only(web))
        .isEqualTo("prerequisite db has not obeyed its reconciliation request yet");
    lastUpdate(db, "\"reconcileRequest\":\"now\"");
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);

    cluster.patch(db, "{\"spec\":{\"backend\":\"file:///x\"}}");
    assertThat(only(web)).isEqualTo("prerequisite db has not run its generation 2 yet");
  }

  @ParameterizedTest
  @CsvSource({
    "Reconciling, StackProcessing, ; it is on its way",
    "Reconciling, PrerequisiteNotSatisfied, ; it waits for its own prerequisites",
    "Stalled, SpecInvalid, ; it is stalled (SpecInvalid)",
    "Stalled, Two:Words, ; it is stalled",
    "Ready, ProcessingCompleted, ''"
  })
  void whatItDoesMeanwhileIsTold(String type, String reason, String told) {
    StackRef web = needing("web", ANY, "db");
    shows(stack("db", Map.of()), type, reason);

    assertThat(only(web)).isEqualTo("prerequisite db has not run yet" + told);
  }

  @Test
  void oneThatFailsTellsHowOftenWhyAndWhenItTriesAgain() {
    StackRef web = needing("web", ANY, "db");
    StackRef db = stack("db", Map.of());
    ended(db, 1, "failed", LATELY);
    status(
        db,
        "\"retry\":{\"failures\":3,\"nextAttemptTime\":\"2026-12-01T00:05:00Z\",\"last\":{\"kind\":\"up\",\"generation\":1,\"result\":\"failed\",\"reason\":\"UpdateFailed\"}}");

    assertThat(only(web))
        .isEqualTo(
            "prerequisite db failed 3 times in a row (UpdateFailed); it tries again at"
                + " 2026-12-01T00:05:00Z");
  }

  @Test
  void anAttemptThatFailedBeforeAnOperationRanHoldsDependentsBackToo() {
    StackRef web = needing("web", ANY, "db");
    StackRef db = stack("db", Map.of());
    ended(db, 1, "succeeded", LATELY);
    status(
        db,
        "\"retry\":{\"failures\":1,\"last\":{\"kind\":\"up\",\"generation\":1,\"result\":\"failed\",\"reason\":\"WorkspaceFailed\"}}");

    assertThat(only(web)).isEqualTo("prerequisite db failed (WorkspaceFailed)");
  }

  @Test
  void oneThatIsBeingDeletedWasDestroyedOrOnlyPreviewsIsNothingToBuildOn() {
    StackRef web = needing("web", ANY, "db");
    StackRef db = stack("db", Map.of());
    ended(db, 1, "succeeded", LATELY);
    lastUpdate(db, "\"type\":\"destroy\"");
    assertThat(only(web)).isEqualTo("prerequisite db was destroyed by its last update");
    lastUpdate(db, "\"type\":\"preview\"");
    assertThat(only(web))
        .isEqualTo(
            "prerequisite db only previews (spec.preview), so there is nothing of it to build on");

    cluster.patch(db, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.named(db).delete();
    assertThat(only(web)).isEqualTo("prerequisite db is being deleted");
  }

  @Test
  void aPreviewBuildsOnAPreview() {
    StackRef web = stack("web", and(Map.of("preview", true), needs(ANY, "db")));
    StackRef db = stack("db", Map.of("preview", true));
    ended(db, 1, "succeeded", LATELY);
    lastUpdate(db, "\"type\":\"preview\"");

    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);
  }

  @Test
  void aPausedOneIsSatisfiedByWhatItDidAndNotAskedForMore() {
    StackRef web = needing("web", WITHIN_1H, "db");
    StackRef db = stack("db", Map.of());
    annotate(db, "reprise.dev/paused", "canary");
    ended(db, 1, "succeeded", LATELY);
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);

    ended(db, 1, "succeeded", LONG_AGO);
    assertThat(look(web))
        .isEqualTo(
            WaitingFor.of(List.of("prerequisite db succeeded longer ago than 1h; it is paused")));
  }

  @Test
  void anOldSuccessIsOutOfDateAndToBeRenewed() {
    StackRef web = needing("web", WITHIN_1H, "db");
    StackRef db = stack("db", Map.of());
    ended(db, 1, "succeeded", LATELY);
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);

    ended(db, 1, "succeeded", LONG_AGO);
    assertThat(look(web))
        .isEqualTo(
            new WaitingFor(
                List.of("prerequisite db succeeded longer ago than 1h"),
                List.of(
                    new RunRequest(
                        "db",
                        db.uid(),
                        "db-1",
                        "apps/web waits for it and needs a success younger than 1h")),
                ""));
    shows(db, "Reconciling", "StackProcessing");
    assertThat(look(web))
        .isEqualTo(
            WaitingFor.of(
                List.of("prerequisite db succeeded longer ago than 1h; it is on its way")));
  }

  @Test
  void nobodyIsAskedWhileAnotherOneIsInTheWay() {
    StackRef web = needing("web", WITHIN_1H, "db", "dns", "missing");
    ended(stack("db", Map.of()), 1, "succeeded", LONG_AGO);
    ended(stack("dns", Map.of()), 1, "succeeded", LONG_AGO);
    assertThat(look(web).sentences()).hasSize(3);
    assertThat(look(web).outOfDate()).isEmpty();

    ended(stack("missing", Map.of()), 1, "succeeded", LATELY);
    assertThat(look(web).outOfDate()).extracting(RunRequest::name).containsExactly("db", "dns");
  }

  @Test
  void aRunMadeAtARequestCountsForAMinuteHoweverShortTheDuration() {
    StackRef web = needing("web", Map.of("succeededWithinDuration", "1s"), "db");
    StackRef db = stack("db", Map.of());
    ended(db, 2, "succeeded", "2026-11-30T23:59:10Z");
    assertThat(look(web).outOfDate()).hasSize(1);

    annotate(db, "pulumi.com/reconciliation-request", "after-db-1");
    lastUpdate(db, "\"reconcileRequest\":\"after-db-1\"");
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);
    ended(db, 2, "succeeded", "2026-11-30T23:58:50Z");
    assertThat(look(web).outOfDate()).hasSize(1);
  }

  @Test
  void theSameRevisionIsOneThatAnUpSucceededAt() {
    StackRef web = stack("web", and(MAIN, needs(SAME, "db")));
    StackRef db = stack("db", and(MAIN, Map.of("repoDir", "db")));
    ended(db, 1, "succeeded", LATELY);
    assertThat(look(web).sentences())
        .containsExactly("prerequisite db has not succeeded with an up at revision r2");
    lastUpdate(db, "\"lastSuccessfulCommit\":\"r1\",\"lastAttemptedCommit\":\"r2\"");
    assertThat(look(web))
        .isEqualTo(
            new WaitingFor(
                List.of("prerequisite db last succeeded at revision r1, not at revision r2"),
                List.of(
                    new RunRequest(
                        "db",
                        db.uid(),
                        "db-1",
                        "apps/web waits for it and needs a success at revision r2")),
                ""));
    lastUpdate(db, "\"lastSuccessfulCommit\":\"r2\"");
    assertThat(look(web)).isEqualTo(WaitingFor.NOTHING);

    String commit = "0123456789abcdef0123456789abcdef01234567";
    assertThat(look(web, commit).sentences())
        .containsExactly("prerequisite db last succeeded at revision r2, not at revision 01234567");
  }

  @Test
  void oneWithAnotherSourceIsNeverAskedForTheSameRevisionAndThatIsSaidPlainly() {
    StackRef web = stack("web", and(MAIN, needs(SAME, "db")));
    StackRef db = stack("db", Map.of("projectRepo", "https://git.example/db", "branch", "main"));
    ended(db, 1, "succeeded", LATELY);
    lastUpdate(db, "\"lastSuccessfulCommit\":\"r1\"");

    assertThat(look(web))
        .isEqualTo(
            WaitingFor.of(
                List.of(
                    "prerequisite db is not at the same revision, and its source is another one"
                        + " than this Stack's: point both at the same source and branch, or drop"
                        + " sameRevision")));
  }

  @Test
  void theCountsOfTwoProgramsAreNotTheSameRevision() {
    StackRef web = stack("web", and(Map.of("programRef", Map.of("name", "p")), needs(SAME, "db")));
    StackRef db = stack("db", Map.of("programRef", Map.of("name", "q")));
    ended(db, 1, "succeeded", LATELY);
    lastUpdate(db, "\"lastSuccessfulCommit\":\"5\"");

    assertThat(look(web, "5").sentences()).hasSize(1);
    assertThat(look(web, "5").outOfDate()).isEmpty();
  }

  @Test
  void ofManyTheFirstAreTold() {
    String[] names = IntStream.range(0, 14).mapToObj(i -> "s" + i).toArray(String[]::new);
    assertThat(look(needing("web", ANY, names)).sentences())
        .hasSize(11)
        .endsWith("prerequisite s9 does not exist", "and 4 more");
  }

  @Test
  void anAbsurdNameIsNotShownWhole() {
    assertThat(only(needing("web", ANY, "n".repeat(300))))
        .isEqualTo("prerequisite " + "n".repeat(63) + "… does not exist");
  }
}
