package dev.reprise.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.reprise.e2e.engine.Commands;
import dev.reprise.e2e.engine.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What other tools conclude from a Stack: the real kstatus module and Argo CD's rule. */
public final class HealthTool {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Programs programs;

  /** The program {@code stack-health}, made by {@code e2e/engines/build}. */
  public HealthTool(Programs programs) {
    this.programs = programs;
  }

  /**
   * What they conclude.
   *
   * @param kstatus such as {@code Current}
   * @param argo such as {@code Healthy}
   */
  public record Verdict(String kstatus, String argo) {}

  /**
   * Asks about many at once.
   *
   * @param stacks whole objects as JSON of one line each
   * @return a verdict for each, in the same order
   */
  public List<Verdict> of(List<String> stacks) {
    Commands.Ended ended =
        Commands.tried(
            Map.of(), String.join("\n", stacks) + "\n", List.of(programs.path("stack-health")));
    List<Verdict> verdicts = new ArrayList<>();
    for (String line : ended.output().lines().toList()) {
      verdicts.add(verdict(line));
    }
    if (ended.exitCode() != 0 || verdicts.size() != stacks.size()) {
      throw new IllegalStateException("stack-health: " + ended);
    }
    return verdicts;
  }

  private static Verdict verdict(String line) {
    try {
      JsonNode answer = JSON.readTree(line);
      if (answer.has("error")) {
        throw new IllegalStateException("stack-health: " + answer);
      }
      return new Verdict(
          answer.path("kstatus").path("status").asText(),
          answer.path("argo").path("status").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
