package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.SourceObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  private static final References.Key SECRET = ReferencedKind.SECRETS.key("default", "keys");
  private static final Instant LAST_END = Stacks.NOW.minusSeconds(600);
  private static final Instant LONG_AGO = Stacks.NOW.minusSeconds(6_000);

  private final Bench bench = new Bench();

  @Test
  void aChangedSecretOrConfigMapWakesTheStacksThatReferToItAndNoOther() throws Exception {
    bench.intake.seen(secretOf("a").build());
    bench.intake.seen(inOrder("b").spec("envs", List.of("settings")).build());
    bench.intake.seen(inOrder("c").build());
    References.Key settings = ReferencedKind.CONFIG_MAPS.key("default", "settings");
    see(SECRET, "1", LONG_AGO);
    see(settings, "2", LONG_AGO);
    assertThat(woken()).isEmpty();

    see(SECRET, "3", bench.clock.instant());
    assertThat(woken()).containsExactly("a");
    see(settings, "4", bench.clock.instant());
    assertThat(woken()).containsExactly("b");
    see(ReferencedKind.SECRETS.key("elsewhere", "keys"), "5", bench.clock.instant());
    assertThat(woken()).isEmpty();
  }

  @Test
  void seeingTheSameAgainAfterANewListIsNoChange() throws Exception {
    bench.intake.seen(secretOf("a").build());
    see(SECRET, "1", LONG_AGO);
    see(SECRET, "1", LONG_AGO);
    bench.intake.seen(secretOf("a").version("2").build());
    assertThat(woken()).isEmpty();
  }

  @Test
  void aStartWakesOnlyStacksWhoseInputsWereWrittenAfterTheirLastAttempt() throws Exception {
    see(SECRET, "1", LAST_END.plusSeconds(1));
    References.Key old = ReferencedKind.SECRETS.key("default", "old");
    see(old, "2", LAST_END);
    bench.intake.seen(secretOf("changed").build());
    bench.intake.seen(inOrder("unchanged").spec("envSecrets", List.of("old")).build());

    assertThat(woken()).containsExactly("changed");
  }

  @Test
  void aSecretThatAppearsWakesTheStackThatWaitsForIt() throws Exception {
    bench.intake.seen(secretOf("a").build());
    see(SECRET, "7", bench.clock.instant());
    assertThat(woken()).containsExactly("a");

    bench.references.gone(SECRET);
    assertThat(woken()).isEmpty();
    see(SECRET, "9", bench.clock.instant());
    assertThat(woken()).containsExactly("a");
  }

  @Test
  void severalObjectsChangedTogetherAreToldOfOnce() throws Exception {
    References.Key other = ReferencedKind.SECRETS.key("default", "other");
    bench.intake.seen(inOrder("a").spec("envSecrets", List.of("keys", "other")).build());
    see(SECRET, "1", LONG_AGO);
    see(other, "2", LONG_AGO);

    see(SECRET, "3", bench.clock.instant());
    see(other, "4", bench.clock.instant());
    assertThat(woken()).containsExactly("a");
  }

  @Test
  void aStackThatIgnoresItsInputsOrIsGoneOrDeletedIsNotWoken() throws Exception {
    bench.intake.seen(secretOf("ignoring").annotation(StackReader.INPUTS, "ignore").build());
    bench.intake.seen(secretOf("gone").build());
    bench.intake.gone("uid-gone");
    bench.intake.seen(secretOf("deleting").build());
    bench.intake.seen(secretOf("deleting").deleting().build());
    see(SECRET, "1", LONG_AGO);
    woken();

    see(SECRET, "2", bench.clock.instant());
    assertThat(woken()).isEmpty();
    assertThat(bench.references.size()).isZero();
  }

  @Test
  void whenASpecRefersToSomethingElseTheOldReferenceIsForgotten() throws Exception {
    bench.intake.seen(secretOf("a").build());
    bench.intake.seen(inOrder("a").spec("envSecrets", List.of("other")).build());
    see(SECRET, "1", LONG_AGO);
    see(SECRET, "2", bench.clock.instant());
    assertThat(woken()).isEmpty();
  }

  @Test
  void aFluxSourceThatOffersAnotherRevisionThanTheLastAttemptHadWakesItsStacks() throws Exception {
    var flux =
        Map.of(
            "sourceRef",
            Map.of(
                "apiVersion", "source.toolkit.fluxcd.io/v1",
                "kind", "GitRepository",
                "name", "infra"));
    bench.intake.seen(inOrder("a").lastRevision("main@sha1:1").spec("fluxSource", flux).build());
    ReferencedKind kind = bench.watched.iterator().next();
    assertThat(kind.resource()).isEqualTo("gitrepositories.source.toolkit.fluxcd.io/v1");
    assertThat(kind.metadataOnly()).isFalse();
    References.Key infra = kind.key("default", "infra");

    see(infra, "main@sha1:1", Stacks.NOW);
    see(infra, "", Stacks.NOW);
    assertThat(woken()).isEmpty();
    see(infra, "main@sha1:2", Stacks.NOW);
    assertThat(woken()).containsExactly("a");
  }

  @Test
  void aStackFirstSeenAfterItsSourceHasMovedIsWoken() throws Exception {
    ReferencedKind programs = ReferencedKind.of(new SourceObject(SourceObject.PROGRAMS, "site"));
    assertThat(programs.metadataOnly()).isTrue();
    see(programs.key("default", "site"), "5", LONG_AGO);
    bench.intake.seen(program("moved", "4").build());
    bench.intake.seen(program("same", "5").build());
    assertThat(woken()).containsExactly("moved");
  }

  @Test
  void onlyKindsThatAreReferredToAreWatched() {
    bench.intake.seen(inOrder("a").build());
    assertThat(bench.watched).isEmpty();
    bench.intake.seen(secretOf("b").build());
    assertThat(bench.watched).containsExactly(ReferencedKind.SECRETS);
  }

  private Stacks program(String name, String lastRevision) {
    return inOrder(name).lastRevision(lastRevision).spec("programRef", Map.of("name", "site"));
  }

  private static Stacks inOrder(String name) {
    return Stacks.inOrder(name).retry("last", Map.of("kind", "up", "endTime", LAST_END.toString()));
  }

  private static Stacks secretOf(String name) {
    return inOrder(name).spec("envSecrets", List.of("keys"));
  }

  private void see(References.Key key, String version, Instant since) {
    bench.references.seen(key, new References.Sight(version, since));
  }

  /** The Stacks woken since the last time this was asked. */
  private List<String> woken() throws InterruptedException {
    bench.clock.advance(Duration.ofSeconds(2));
    bench.starter.calls.clear();
    bench.drain();
    return List.copyOf(bench.starter.calls);
  }
}
