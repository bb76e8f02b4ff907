package dev.reprise.workflows.endurance;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.endurance.Journal.Ask;
import dev.reprise.workflows.endurance.Journal.Entry;
import dev.reprise.workflows.endurance.Memory.Wish;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges a journal. What cannot be told from outside, such as whether a signal came before or after
 * a task, leaves several memories possible; something is wrong once none is left.
 */
final class Model {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LONGEST_PROMISE = Duration.ofHours(24).plusMinutes(1);
  private static final Set<Set<String>> STORIES =
      Set.of(
          Set.of(),
          Set.of("Ready=true"),
          Set.of("Ready=false", "Reconciling=true"),
          Set.of("Ready=false", "Stalled=true"));

  private final Script script;
  private final List<Entry> entries;
  private final List<String> violations = new ArrayList<>();
  private final List<Count> counts = new ArrayList<>();
  private final Promptness promptness = new Promptness();
  private final Set<String> tokens = new HashSet<>(Set.of(""));
  private Set<Memory> memories = Set.of(Memory.NOTHING);
  private Instant heldSince = Instant.MAX;
  private Wish successorAsked = Wish.NONE;
  private boolean successorTold;
  private boolean unknown;
  private boolean asking;
  private boolean upSent;
  private int sent;

  /** The numbers of failures that are possible after an attempt. */
  private record Count(Instant end, Set<Integer> failures) {}

  private Model(Script script, List<Entry> entries) {
    this.script = script;
    this.entries = entries;
  }

  static Model of(Script script, Journal journal) {
    Model model = new Model(script, journal.entries());
    for (int i = 0; i < model.entries.size(); i++) {
      model.take(model.entries.get(i), i);
    }
    return model;
  }

  /** One line for each. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** Operations the agent began. */
  int sent() {
    return sent;
  }

  /** Whether a run has been lost and its successor has not looked yet. */
  boolean unknown() {
    return unknown;
  }

  boolean held() {
    return heldSince.isBefore(Instant.MAX);
  }

  /** Whether all that was asked for may be done, and the last attempt was this one. */
  boolean doneWith(Ask current) {
    return memories.stream()
        .anyMatch(
            memory ->
                !memory.busy()
                    && memory.wished() == Wish.NONE
                    && memory.outcome() == Outcome.SUCCEEDED
                    && !memory.ask().differs(current));
  }

  @Override
  public String toString() {
    return memories.stream().map(Memory::toString).collect(Collectors.joining("\n"));
  }

  private void take(Entry entry, int index) {
    promptness
        .missed(entry)
        .ifPresent(missed -> violations.add("not acted on before %s: %s".formatted(entry, missed)));
    switch (entry) {
      case Journal.Did did -> {}
      case Journal.Wrong wrong -> violations.add(wrong.toString());
      case Journal.Asking ask -> ask(ask, index);
      case Journal.Asked asked -> asking = false;
      case Journal.Held held -> {
        heldSince = !held.on() ? Instant.MAX : held() ? heldSince : held.at();
        successorTold = true;
      }
      case Journal.Preparing preparing -> {}
      case Journal.Saw saw -> saw(saw);
      case Journal.Kept kept -> {}
      case Journal.Prepared prepared -> {
        if (!asking) {
          become(prepared, memory -> Stream.of(memory.taken()));
        }
      }
      case Journal.NotPrepared not -> notPrepared(not);
      case Journal.Sent operation -> sent(operation);
      case Journal.Ended ended -> {
        become(ended, memory -> ended(memory, ended));
        count(ended.at());
      }
      case Journal.Lost lost -> {
        heldSince = Instant.MAX;
        unknown = true;
        successorTold = false;
        successorAsked = Wish.NONE;
      }
      case Journal.Seeded seeded -> seeded(seeded);
      case Journal.Reported reported -> reported(reported.at(), reported.report());
      case Journal.Released released -> released(released);
    }
  }

  private void saw(Journal.Saw saw) {
    Ask ask = saw.ask();
    tokens.add(ask.token());
    boolean wanted =
        memories.stream()
            .allMatch(
                memory ->
                    !memory.busy() && (memory.wished() != Wish.NONE || ask.differs(memory.ask())));
    if (wanted && !held() && !unknown && !asking && !ask.deletion()) {
      promptness.due(saw.at(), ask);
    }
  }

  private void become(Entry entry, Function<Memory, Stream<Memory>> change) {
    Set<Memory> next =
        memories.stream().flatMap(change).collect(Collectors.toCollection(LinkedHashSet::new));
    if (next.isEmpty()) {
      violations.add("nothing explains %s after\n%s".formatted(entry, this));
    } else {
      memories = next;
    }
  }

  private void ask(Journal.Asking ask, int index) {
    boolean reached =
        entries.subList(index, entries.size()).stream()
            .filter(Journal.Asked.class::isInstance)
            .map(Journal.Asked.class::cast)
            .findFirst()
            .map(Journal.Asked::reached)
            .orElse(true);
    if (reached) {
      asking = true;
      Wish wish = ask.resetting() ? Wish.RESETTING : Wish.KEEPING;
      successorAsked = successorAsked.and(wish);
      become(ask, memory -> Stream.of(memory.asked(wish)));
    }
  }

  private void notPrepared(Journal.NotPrepared not) {
    become(
        not,
        memory ->
            Stream.concat(
                not.disturbed() ? Stream.of(memory) : Stream.of(),
                begun(memory, not.ask(), not.at(), memory.update())
                    .map(begun -> begun.ended(not.outcome(), not.at()))));
    count(not.at());
  }

  private Stream<Memory> begun(Memory memory, Ask ask, Instant at, String update) {
    return memory.begun(ask, at, update, script.retry(), script.resync()).stream();
  }

  private void sent(Journal.Sent operation) {
    sent++;
    upSent |= operation.ask().kind() == OperationKind.UP;
    if (!operation.ask().deletion() && held() && operation.at().isAfter(heldSince.plus(SOON))) {
      violations.add("%s though held since %s".formatted(operation, heldSince));
    }
    become(operation, memory -> begun(memory, operation.ask(), operation.at(), operation.update()));
  }

  private Stream<Memory> ended(Memory memory, Journal.Ended ended) {
    if (!memory.update().equals(ended.update())) {
      return Stream.of();
    }
    boolean unknown = ended.found() && ended.outcome() == Outcome.INTERRUPTED;
    if (memory.busy()) {
      // A cancel that found nothing any more ends what it was for.
      return Stream.of(ended.outcome(), unknown ? Outcome.CANCELLED : ended.outcome())
          .map(outcome -> memory.ended(outcome, ended.at()));
    }
    if (!ended.found()) {
      return Stream.of();
    }
    if (memory.outcome() == Outcome.INTERRUPTED) {
      Outcome outcome = unknown ? Outcome.CANCELLED : ended.outcome();
      return Stream.concat(
          unknown ? Stream.of(memory) : Stream.of(),
          begun(memory, memory.ask(), ended.at(), ended.update())
              .map(begun -> begun.ended(outcome, ended.at())));
    }
    // It was asked again because the answer came too late.
    return memory.outcome() == ended.outcome() ? Stream.of(memory) : Stream.of();
  }

  private void count(Instant end) {
    counts.add(new Count(end, memories.stream().map(Memory::failures).collect(Collectors.toSet())));
  }

  private void seeded(Journal.Seeded seeded) {
    unknown = false;
    memories = Set.of(Memory.of(seeded.state()).asked(successorAsked));
    if (!successorTold && !seeded.state().hold().isEmpty()) {
      heldSince = seeded.at();
    }
  }

  private void released(Journal.Released released) {
    boolean destroyed =
        memories.stream()
            .anyMatch(memory -> memory.ask().deletion() && memory.outcome() == Outcome.SUCCEEDED);
    if (released.destroyOnDelete() && upSent && !destroyed) {
      violations.add("%s without a destroy that succeeded".formatted(released));
    }
  }

  private void reported(Instant at, ReportInput report) {
    StackState state = report.state();
    Set<String> story =
        report.conditions().stream().map(Model::inShort).collect(Collectors.toSet());
    check(STORIES.contains(story), "more than one story: " + story, report);
    boolean ready = story.equals(Set.of("Ready=true"));
    boolean done =
        state.last().succeeded()
            && state.last().generation() == report.generation()
            && !state.underway().exists();
    check(!ready || done, "ready too early", report);
    check(tokens.contains(report.reconcileRequest()), "token echoed too early", report);
    check(!report.nextWake().isAfter(at.plus(LONGEST_PROMISE)), "promised too late", report);
    Set<Integer> possible =
        counts.reversed().stream()
            .filter(count -> !count.end().isAfter(state.last().endTime()))
            .findFirst()
            .map(Count::failures)
            .orElse(Set.of(0));
    boolean begunAnew = state.underway().exists() && state.failures() == 0;
    check(
        possible.contains(state.failures()) || begunAnew,
        "failures %d instead of %s".formatted(state.failures(), possible),
        report);
  }

  private static String inShort(Condition condition) {
    return condition.type() + "=" + condition.status();
  }

  private void check(boolean holds, String otherwise, ReportInput report) {
    if (!holds) {
      violations.add(otherwise + ": " + report);
    }
  }
}
