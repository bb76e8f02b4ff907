package dev.reprise.activities.prerequisite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.StackRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CyclesTest extends PrerequisiteFixture {
  private static final Map<String, Object> ANY = Map.of();
  private static final Map<String, Object> WITHIN_1H = Map.of("succeededWithinDuration", "1h");

  @Test
  void aStackThatNeedsItselfIsACycle() {
    assertThat(look(needing("a", ANY, "a")).cycle())
        .isEqualTo("prerequisites form a cycle: a -> a; remove one of them");
  }

  @Test
  void everyStackOfACycleNamesItFromItsOwnSideAndOthersOnlyWait() {
    StackRef a = needing("a", ANY, "b");
    StackRef b = needing("b", ANY, "c");
    StackRef c = needing("c", ANY, "x", "a");
    StackRef outside = needing("outside", ANY, "a");

    assertThat(look(a).cycle())
        .isEqualTo("prerequisites form a cycle: a -> b -> c -> a; remove one of them");
    assertThat(look(b).cycle()).contains("b -> c -> a -> b");
    assertThat(look(c).cycle()).contains("c -> a -> b -> c");
    assertThat(look(outside).cycle()).isEmpty();
    assertThat(look(outside).sentences()).containsExactly("prerequisite a has not run yet");

    cluster.patch(b, "{\"spec\":{\"prerequisites\":null}}");
    assertThat(look(a).cycle()).isEmpty();
  }

  @Test
  void theShortestOfSeveralCyclesIsNamed() {
    StackRef a = needing("a", ANY, "b", "c");
    needing("b", ANY, "c");
    needing("c", ANY, "a");

    assertThat(look(a).cycle()).contains("a -> c -> a");
  }

  @Test
  void prerequisitesInACycleAreNotAskedToRun() {
    StackRef a = needing("a", WITHIN_1H, "b");
    StackRef b = needing("b", WITHIN_1H, "a");
    ended(b, 1, "succeeded", LONG_AGO);
    ended(a, 1, "succeeded", LONG_AGO);

    assertThat(look(a).cycle()).contains("a -> b -> a");
    assertThat(look(a).outOfDate()).isEmpty();
    ended(a, 1, "succeeded", LATELY);
    assertThat(look(a).cycle()).isEmpty();
    assertThat(look(a).outOfDate()).hasSize(1);
  }

  @Test
  void aCycleThatWouldNotBlockIsNone() {
    StackRef a = needing("a", ANY, "b");
    StackRef b = needing("b", ANY, "a");
    assertThat(look(a).cycle()).isNotEmpty();

    ended(a, 1, "succeeded", LONG_AGO);
    assertThat(look(a).sentences()).hasSize(1);
    assertThat(look(a).cycle()).isEmpty();
    assertThat(look(b).sentences()).isEmpty();
  }

  @Test
  void oneThatRunsNowEndsTheSearchForItWillBeDone() {
    StackRef a = needing("a", ANY, "b");
    StackRef b = needing("b", ANY, "a");
    shows(b, "Reconciling", "StackProcessing");

    assertThat(look(a).cycle()).isEmpty();
  }

  @Test
  void theSameRevisionClosesACycleTooWhereAllRunTheSame() {
    Map<String, Object> same = Map.of("sameRevision", true);
    StackRef a = stack("a", and(MAIN, needs(same, "b")));
    StackRef b = stack("b", and(MAIN, needs(same, "a")));
    for (StackRef one : new StackRef[] {a, b}) {
      ended(one, 1, "succeeded", LATELY);
      lastUpdate(one, "\"lastSuccessfulCommit\":\"r1\"");
    }

    assertThat(look(a).cycle()).contains("a -> b -> a");
    assertThat(look(a, "r1").sentences()).isEmpty();
  }

  @Test
  void aSearchReadsAtMostSoManyStacks() {
    int most = 50;
    for (int i = 1; i <= most + 20; i++) {
      needing("s" + i, ANY, "s" + (i + 1));
    }
    StackRef first = needing("s0", ANY, "s1");
    cluster.server.requests().reset();

    assertThat(look(first).cycle()).isEmpty();
    // The Stack itself is read by the test, and the one read last looks at the next.
    assertThat(cluster.server.requests().count("get", "stacks.pulumi.com"))
        .isBetween((long) most, most + 2L);
  }
}
