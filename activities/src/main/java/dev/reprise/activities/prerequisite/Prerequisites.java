package dev.reprise.activities.prerequisite;

import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Prerequisite;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.RunRequest;
import dev.reprise.workflows.decision.WaitingFor;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which of the Stacks that have to succeed first have not. Reads only. */
public final class Prerequisites {
  /** Of more than that the first are told of; the message is read by people. */
  private static final int MOST_TOLD = 10;

  private static final int LONGEST_NAME = 63;

  private final KubernetesClient client;
  private final Judge judge;
  private final Cycles cycles;

  /** Looks through this client. */
  public Prerequisites(KubernetesClient client, StackReader reader, InstantSource clock) {
    this.client = client;
    this.judge = new Judge(reader, clock);
    this.cycles = new Cycles(reader, judge);
  }

  /**
   * What a Stack would have to wait for if it were due. A prerequisite that is out of date is to be
   * asked to run only when all that are not satisfied are: while another one fails or is missing,
   * it would be out of date again before it is needed.
   *
   * @param kind what it is about to run; a destroy waits for nobody
   * @param revision of its source; "" = none
   */
  public WaitingFor of(Stack stack, OperationKind kind, String revision) {
    if (kind == OperationKind.DESTROY) {
      return WaitingFor.NOTHING;
    }
    Neighbours neighbours = new Neighbours(client, stack.identity().namespace());
    List<String> sentences = new ArrayList<>();
    List<String> waitsFor = new ArrayList<>();
    Map<String, RunRequest> outOfDate = new LinkedHashMap<>();
    boolean oneIsInTheWay = false;
    for (Prerequisite wanted : stack.spec().prerequisites()) {
      Need need = Need.of(stack, wanted, kind == OperationKind.PREVIEW, revision);
      Standing standing =
          neighbours
              .find(wanted.name())
              .map(other -> judge.of(need, other))
              .orElse(new Standing.InTheWay("does not exist"));
      switch (standing) {
        case Standing.Satisfied satisfied -> {
          continue;
        }
        case Standing.OutOfDate old -> outOfDate.put(wanted.name(), old.request());
        case Standing.OnTheWay onTheWay -> {}
        case Standing.InTheWay inTheWay -> oneIsInTheWay = true;
      }
      waitsFor.add(wanted.name());
      sentences.add("prerequisite " + shown(wanted.name()) + " " + standing.sentence());
    }
    if (sentences.isEmpty()) {
      return WaitingFor.NOTHING;
    }
    String cycle = cycles.with(stack, waitsFor, revision, neighbours);
    boolean ask = cycle.isEmpty() && !oneIsInTheWay;
    return new WaitingFor(
        told(sentences), ask ? told(List.copyOf(outOfDate.values()), MOST_TOLD) : List.of(), cycle);
  }

  /** Longer than any Stack's name is a mistake, and need not be shown whole. */
  private static String shown(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
  }

  private static List<String> told(List<String> sentences) {
    if (sentences.size() <= MOST_TOLD) {
      return List.copyOf(sentences);
    }
    List<String> first = new ArrayList<>(sentences.subList(0, MOST_TOLD));
    first.add("and " + (sentences.size() - MOST_TOLD) + " more");
    return List.copyOf(first);
  }

  /** Those beyond the first are asked when these have run. */
  private static List<RunRequest> told(List<RunRequest> requests, int most) {
    return requests.size() <= most ? requests : List.copyOf(requests.subList(0, most));
  }
}
