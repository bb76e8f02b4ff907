package dev.reprise.activities.prerequisite;

import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.Prerequisite;
import dev.reprise.stack.spec.SpecInvalid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds prerequisites that wait for each other, so that none of them ever runs. */
final class Cycles {
  /** So many Stacks are read in one look; a cycle that needs more is told of as a mere wait. */
  private static final int MOST_READ = 50;

  private final StackReader reader;
  private final Judge judge;

  Cycles(StackReader reader, Judge judge) {
    this.reader = reader;
    this.judge = judge;
  }

  /**
   * The shortest cycle a Stack is part of, as a sentence; "" if there is none. Only waits that hold
   * now count: a Stack that has succeeded, or runs now, ends the search.
   *
   * @param waitsFor those of its prerequisites that are not satisfied
   * @param revision what it is about to run
   */
  String with(Stack stack, List<String> waitsFor, String revision, Neighbours neighbours) {
    String self = stack.identity().name();
    Deque<List<String>> paths = new ArrayDeque<>();
    waitsFor.forEach(name -> paths.add(List.of(self, name)));
    Set<String> visited = new HashSet<>();
    while (!paths.isEmpty()) {
      List<String> path = paths.remove();
      String name = path.getLast();
      if (name.equals(self)) {
        // Not an arrow: terminals without UTF-8 would show a question mark.
        return "prerequisites form a cycle: %s; remove one of them"
            .formatted(String.join(" -> ", path));
      }
      if (visited.add(name)) {
        for (String next : waits(name, stack, revision, neighbours)) {
          List<String> longer = new ArrayList<>(path);
          longer.add(next);
          paths.add(longer);
        }
      }
    }
    return "";
  }

  private List<String> waits(String name, Stack asking, String revision, Neighbours neighbours) {
    if (neighbours.count() >= MOST_READ) {
      return List.of();
    }
    return neighbours
        .find(name)
        .filter(other -> !other.processing() && !other.identity().deleting())
        .map(other -> waits(other, asking, revision, neighbours))
        .orElse(List.of());
  }

  private List<String> waits(Other other, Stack asking, String revision, Neighbours neighbours) {
    Stack stack;
    try {
      stack = reader.read(other.resource());
    } catch (SpecInvalid e) {
      // It does not run for another reason, which it tells itself.
      return List.of();
    }
    // What it is about to run is known where it runs the same thing as the Stack that asks.
    boolean known = Source.of(stack.spec()).movesWith(Source.of(asking.spec()));
    List<String> names = new ArrayList<>();
    for (Prerequisite wanted : stack.spec().prerequisites()) {
      Need need = Need.of(stack, wanted, stack.spec().preview(), revision);
      Need sure = known ? need : need.atAnyRevision();
      boolean waits =
          neighbours
              .find(wanted.name())
              .filter(next -> !(judge.of(sure, next) instanceof Standing.Satisfied))
              .isPresent();
      if (waits) {
        names.add(wanted.name());
      }
    }
    return names;
  }
}
