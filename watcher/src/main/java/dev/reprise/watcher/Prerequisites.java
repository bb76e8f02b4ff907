package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.SameRevisionAnnotation;
import dev.reprise.stack.status.Condition;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.PrerequisiteActivity;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which Stacks need which, so that what happens to a prerequisite wakes those that wait for it: its
 * creation, the end of an update, becoming Ready, its end. Only Stacks whose status shows that they
 * wait are woken; one that runs, cools down or is in order looks at its prerequisites when its own
 * time has come.
 */
final class Prerequisites {
  /** A status follows what a run decided within seconds, unless it cannot be written at all. */
  private static final Duration LATELY = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Map<String, Known> byUid = new HashMap<>();

  /** When those that changed lately did so, the latest last. */
  private final Map<Name, Instant> changes = new LinkedHashMap<>();

  private final Map<Name, String> uids = new HashMap<>();
  private final Map<Name, Set<String>> dependents = new HashMap<>();

  Prerequisites(InstantSource clock) {
    this.clock = clock;
  }

  /** Notes the state of a Stack and returns what is wanted because of it. */
  synchronized List<Desire> seen(GenericKubernetesResource resource) {
    Known known = Known.of(resource);
    Known before = put(known);
    List<Desire> wanted = new ArrayList<>();
    if (known.freesSince(before)) {
      noteChange(known.name());
      String reason = "prerequisite " + known.stack.name() + " changed";
      wanted.addAll(wake(known, reason, known.lastUpdate + "\n" + known.ready));
    }
    if (known.waits && mayHaveMissed(known, before)) {
      wanted.add(
          desire(
              known,
              "prerequisites changed before it waited",
              known.sameRevision + stateOfNeeds(known)));
    }
    return wanted;
  }

  /** The Stack is gone; returns what is wanted because of it. */
  synchronized List<Desire> forget(String uid) {
    Known known = byUid.remove(uid);
    if (known == null) {
      return List.of();
    }
    unlink(known);
    noteChange(known.name());
    return wake(known, "prerequisite " + known.stack.name() + " is gone", "");
  }

  private Known put(Known known) {
    Known before = byUid.put(known.stack.uid(), known);
    if (before != null) {
      unlink(before);
    }
    uids.put(known.name(), known.stack.uid());
    for (Name name : known.needs) {
      dependents.computeIfAbsent(name, key -> new HashSet<>()).add(known.stack.uid());
    }
    return before == null ? Known.NONE : before;
  }

  private void unlink(Known known) {
    uids.remove(known.name(), known.stack.uid());
    for (Name name : known.needs) {
      dependents.computeIfPresent(
          name,
          (key, waiting) -> {
            waiting.remove(known.stack.uid());
            return waiting.isEmpty() ? null : waiting;
          });
    }
  }

  /**
   * Whether the Stack may wait for what has happened already: it decided to wait before its
   * prerequisite changed, but shows so only afterwards. Also when what it asks of them changed,
   * which no generation tells.
   */
  private boolean mayHaveMissed(Known known, Known before) {
    boolean begins = !before.waits;
    boolean asksOtherwise = !before.sameRevision.equals(known.sameRevision);
    return begins ? known.needs.stream().anyMatch(this::changedLately) : asksOtherwise;
  }

  private boolean changedLately(Name name) {
    Instant changed = changes.getOrDefault(name, Instant.EPOCH);
    return changed.isAfter(clock.instant().minus(LATELY));
  }

  private void noteChange(Name name) {
    Instant now = clock.instant();
    changes.remove(name);
    changes.put(name, now);
    Iterator<Instant> oldest = changes.values().iterator();
    while (oldest.hasNext() && oldest.next().isBefore(now.minus(LATELY))) {
      oldest.remove();
    }
  }

  private String stateOfNeeds(Known known) {
    return known.needs.stream()
        .map(name -> "\n" + named(name).stack.uid() + " " + named(name).lastUpdate)
        .sorted()
        .reduce("", String::concat);
  }

  private Known named(Name name) {
    return byUid.getOrDefault(uids.getOrDefault(name, ""), Known.NONE);
  }

  private List<Desire> wake(Known changed, String reason, String state) {
    return dependents.getOrDefault(changed.name(), Set.of()).stream()
        .map(uid -> byUid.getOrDefault(uid, Known.NONE))
        .filter(dependent -> dependent.waits)
        .map(dependent -> desire(dependent, reason, changed.stack.uid() + "\n" + state))
        .toList();
  }

  private static Desire desire(Known dependent, String reason, String state) {
    return new Desire(dependent.stack, Desire.Topic.PREREQUISITE, reason, reason + "\n" + state);
  }

  private record Name(String namespace, String name) {}

  /**
   * @param waits whether its status shows that it waits for prerequisites
   * @param sameRevision the annotation that stands for the requirement of that name
   */
  private record Known(
      StackRef stack,
      boolean ready,
      boolean waits,
      String lastUpdate,
      String sameRevision,
      Set<Name> needs) {
    static final Known NONE = new Known(new StackRef("", "", ""), false, false, "", "", Set.of());

    static Known of(GenericKubernetesResource resource) {
      StackIdentity identity = StackReader.identity(resource);
      StackStatus status = StackReader.status(resource);
      Map<String, String> annotations = resource.getMetadata().getAnnotations();
      return new Known(
          DesireGate.ref(identity),
          status.conditions().stream().anyMatch(c -> isTrue(c) && c.type().equals("Ready")),
          !identity.deleting()
              && !status.retry().paused()
              && status.conditions().stream().anyMatch(c -> isTrue(c) && isWait(c)),
          status.lastUpdate().name(),
          annotations == null ? "" : annotations.getOrDefault(SameRevisionAnnotation.NAME, ""),
          needs(resource, identity.namespace()));
    }

    private static boolean isTrue(Condition condition) {
      return condition.status().equals("True");
    }

    private static boolean isWait(Condition condition) {
      return PrerequisiteActivity.WAITING_REASONS.contains(condition.reason());
    }

    /** Read as it stands, as a spec with a mistake elsewhere still has prerequisites. */
    private static Set<Name> needs(GenericKubernetesResource resource, String namespace) {
      Set<Name> names = new HashSet<>();
      if (resource.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
          && spec.get("prerequisites") instanceof List<?> prerequisites) {
        for (Object prerequisite : prerequisites) {
          if (prerequisite instanceof Map<?, ?> map && map.get("name") instanceof String name) {
            names.add(new Name(namespace, name));
          }
        }
      }
      return names;
    }

    /** Also when it is seen for the first time. */
    boolean freesSince(Known before) {
      return before.equals(NONE)
          || !lastUpdate.equals(before.lastUpdate)
          || (ready && !before.ready);
    }

    Name name() {
      return new Name(stack.namespace(), stack.name());
    }
  }
}
