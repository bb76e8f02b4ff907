package dev.reprise.e2e.fault;

import dev.reprise.e2e.world.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A load, and a fault that happens while it goes on.
 *
 * @param name of the fault, for the table
 * @param stacks how many Stacks
 * @param wishes how many operations each is asked for
 * @param body what an update does, as shell commands
 * @param most how often the fault happens at most
 * @param longestPause between two faults
 */
public record Experiment(
    String name, int stacks, int wishes, String body, int most, Duration longestPause) {
  private static final Path TABLE = Path.of("target/e2e/faults.md");

  /** The usual load of 50 updates of three seconds. */
  public static Experiment of(String name, int most) {
    return new Experiment(name, 5, 10, "sleep 3", most, Duration.ofSeconds(8));
  }

  /** The same with fewer updates, for a quick look. */
  public Experiment wishes(int wishes) {
    return new Experiment(name, stacks, wishes, body, most, longestPause);
  }

  /** The same with updates that do something else. */
  public Experiment body(String body) {
    return new Experiment(name, stacks, wishes, body, most, longestPause);
  }

  /**
   * Runs it, and writes its row.
   *
   * @param place where the Stacks are
   * @param fault what happens
   */
  public Outcome run(Place place, Chaos.Fault fault) {
    Load load = new Load(place, stacks, wishes, body);
    try (Load.Running running = load.start()) {
      List<Duration> recoveries =
          new Chaos(name.hashCode(), longestPause, most).during(load, running, fault);
      int lost = running.awaitLost();
      return outcome(load, lost, recoveries);
    }
  }

  private Outcome outcome(Load load, int lost, List<Duration> recoveries) {
    Set<String> killed = new HashSet<>(load.unended());
    List<String> overlapping =
        load.journals().stream().flatMap(journal -> journal.overlapping(killed).stream()).toList();
    List<String> doubled =
        load.journals().stream().flatMap(journal -> journal.doubled().stream()).toList();
    String expected = load.expected() + (killed.isEmpty() ? "" : " + " + killed.size() + " killed");
    new Report(name, recoveries.size(), expected, load.seen(), overlapping.size(), lost, recoveries)
        .write(TABLE);
    return new Outcome(load.expected(), load.seen(), killed.size(), overlapping, doubled, lost);
  }

  /**
   * What came of it.
   *
   * @param expected how many updates there are when none is ended early
   * @param seen how many began
   * @param killed how many began and never wrote their end
   * @param overlapping that began while another one of the same Stack had not ended
   * @param doubled ids that began twice
   * @param lost wishes that no update answered
   */
  public record Outcome(
      long expected,
      long seen,
      int killed,
      List<String> overlapping,
      List<String> doubled,
      int lost) {}
}
