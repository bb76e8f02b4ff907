package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which Stacks wait for which, so that the end of an update wakes those that name it as a
 * prerequisite. A Stack that is Ready is not woken, as it waits for nothing.
 */
final class Prerequisites {
  private final Map<String, Known> byUid = new HashMap<>();
  private final Map<Name, Set<String>> dependents = new HashMap<>();

  /** Notes the state of a Stack and returns what others want because of it. */
  synchronized List<Desire> seen(GenericKubernetesResource resource) {
    Known known = Known.of(resource);
    Known before = put(known);
    // A first sight is no change; what waited through a restart looks again by itself.
    return !before.equals(Known.NONE) && known.freesSince(before) ? wake(known) : List.of();
  }

  /** The Stack is gone. */
  synchronized void forget(String uid) {
    Known known = byUid.remove(uid);
    if (known != null) {
      unlink(known);
    }
  }

  private Known put(Known known) {
    Known before = byUid.put(known.stack.uid(), known);
    if (before != null) {
      unlink(before);
    }
    for (Name name : known.needs) {
      dependents.computeIfAbsent(name, key -> new HashSet<>()).add(known.stack.uid());
    }
    return before == null ? Known.NONE : before;
  }

  private void unlink(Known known) {
    for (Name name : known.needs) {
      dependents.computeIfPresent(
          name,
          (key, uids) -> {
            uids.remove(known.stack.uid());
            return uids.isEmpty() ? null : uids;
          });
    }
  }

  private List<Desire> wake(Known changed) {
    String reason = "prerequisite " + changed.stack.name() + " changed";
    String wish = reason + "\n" + changed.lastUpdate + "\n" + changed.ready;
    return dependents.getOrDefault(changed.name(), Set.of()).stream()
        .map(uid -> byUid.getOrDefault(uid, Known.NONE))
        .filter(dependent -> !dependent.equals(Known.NONE) && !dependent.ready)
        .map(dependent -> new Desire(dependent.stack, Desire.Topic.PREREQUISITE, reason, wish))
        .toList();
  }

  private record Name(String namespace, String name) {}

  private record Known(StackRef stack, boolean ready, String lastUpdate, Set<Name> needs) {
    static final Known NONE = new Known(new StackRef("", "", ""), false, "", Set.of());

    static Known of(GenericKubernetesResource resource) {
      StackIdentity identity = StackReader.identity(resource);
      StackStatus status = StackReader.status(resource);
      boolean ready =
          status.conditions().stream()
              .anyMatch(c -> c.type().equals("Ready") && c.status().equals("True"));
      return new Known(
          DesireGate.ref(identity),
          ready,
          status.lastUpdate().name(),
          needs(resource, identity.namespace()));
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

    boolean freesSince(Known before) {
      return !lastUpdate.equals(before.lastUpdate) || (ready && !before.ready);
    }

    Name name() {
      return new Name(stack.namespace(), stack.name());
    }
  }
}
