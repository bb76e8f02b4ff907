package dev.reprise.watcher;

import dev.reprise.stack.Stack;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceObject;
import dev.reprise.stack.spec.ReferencedInputs;
import dev.reprise.workflows.activity.StackRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which Stacks refer to which objects: Secrets and ConfigMaps for what they are given, Flux sources
 * and Programs for their program. A change of such an object wakes those Stacks; whether it changes
 * anything for them only the workflow can tell, from a digest of the values.
 */
final class References {
  /** A person who applies several objects at once is told of by one signal. */
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private final Outbox outbox;
  private final Consumer<ReferencedKind> watches;
  private final boolean inputs;
  private final Map<String, User> byUid = new HashMap<>();
  private final Map<Key, Set<String>> users = new HashMap<>();
  private final Map<Key, Sight> sights = new HashMap<>();

  /**
   * Makes an empty index.
   *
   * @param watches begins to watch a kind, unless it is watched already
   * @param inputs whether Secrets and ConfigMaps are to be watched
   */
  References(Outbox outbox, Consumer<ReferencedKind> watches, boolean inputs) {
    this.outbox = outbox;
    this.watches = watches;
    this.inputs = inputs;
  }

  /** One object that Stacks may refer to. */
  record Key(String resource, String namespace, String name) {
    @Override
    public String toString() {
      return resource + " " + name;
    }
  }

  /**
   * How an object was last seen.
   *
   * @param version the revision it offers, for a source; "" = none yet. Its resource version else
   * @param since when it was last written
   */
  record Sight(String version, Instant since) {
    private static final Sight NONE = new Sight("", Instant.EPOCH);
  }

  /**
   * A Stack as it is now.
   *
   * @param ignoresInputs whether it is not to be woken for its Secrets and ConfigMaps
   */
  void seen(Stack stack, boolean ignoresInputs) {
    User now = User.of(stack, inputs && !ignoresInputs);
    if (stack.identity().deleting() || now.all().isEmpty()) {
      forget(stack.identity().uid());
      return;
    }
    now.kinds.forEach(watches);
    synchronized (this) {
      User before = byUid.put(now.stack.uid(), now);
      if (before != null) {
        unlink(before);
      }
      now.all().forEach(key -> users.computeIfAbsent(key, k -> new HashSet<>()).add(now.uid()));
      if (now.source.isPresent()) {
        compare(now, now.source.get());
      }
      if (before == null) {
        now.inputs.forEach(key -> changedSinceLastAttempt(now, key));
      }
    }
  }

  /** The Stack is gone, or refers to nothing any more. */
  synchronized void forget(String uid) {
    User user = byUid.remove(uid);
    if (user != null) {
      unlink(user);
    }
  }

  /** An object as it is now; seeing the same again is nothing new. */
  synchronized void seen(Key key, Sight sight) {
    Sight before = sights.put(key, sight);
    if (sight.equals(before)) {
      return;
    }
    for (String uid : Set.copyOf(users.getOrDefault(key, Set.of()))) {
      User user = byUid.getOrDefault(uid, User.NONE);
      if (user.source.equals(Optional.of(key))) {
        compare(user, key);
      } else if (before == null) {
        changedSinceLastAttempt(user, key);
      } else {
        wake(user, key, sight);
      }
    }
  }

  /** The object is gone. A Stack that needs it says so when it looks the next time. */
  synchronized void gone(Key key) {
    sights.remove(key);
  }

  /** How many Stacks refer to anything. */
  synchronized int size() {
    return byUid.size();
  }

  private void compare(User user, Key source) {
    String revision = sights.getOrDefault(source, Sight.NONE).version;
    if (user.lastRevision.equals(revision)) {
      outbox.fulfilled(user.uid(), Desire.Topic.SOURCE);
    } else if (!revision.isEmpty()) {
      outbox.offer(
          new Desire(user.stack, Desire.Topic.SOURCE, "source has moved", "now " + revision));
    }
  }

  /**
   * After a start it is not known what has changed meanwhile, only when. One look too many does no
   * harm, one for each Stack would.
   */
  private void changedSinceLastAttempt(User user, Key key) {
    Sight sight = sights.getOrDefault(key, Sight.NONE);
    if (sight.since.isAfter(user.lastEnd)) {
      wake(user, key, sight);
    }
  }

  private void wake(User user, Key key, Sight sight) {
    outbox.offer(
        new Desire(
            user.stack,
            Desire.Topic.INPUTS,
            key + " has changed",
            key + " " + sight.version,
            SETTLE));
  }

  private void unlink(User user) {
    for (Key key : user.all()) {
      users.computeIfPresent(
          key,
          (k, uids) -> {
            uids.remove(user.uid());
            return uids.isEmpty() ? null : uids;
          });
    }
  }

  /**
   * A Stack that refers to something.
   *
   * @param lastEnd when its last attempt ended
   * @param lastRevision the revision of that attempt
   */
  private record User(
      StackRef stack,
      Instant lastEnd,
      String lastRevision,
      Set<Key> inputs,
      Optional<Key> source,
      Set<ReferencedKind> kinds) {
    static final User NONE =
        new User(new StackRef("", "", ""), Instant.EPOCH, "", Set.of(), Optional.empty(), Set.of());

    static User of(Stack stack, boolean withInputs) {
      String namespace = stack.identity().namespace();
      Set<Key> inputs = new HashSet<>();
      Set<ReferencedKind> kinds = new HashSet<>();
      if (withInputs) {
        ReferencedInputs named = ReferencedInputs.of(stack.spec());
        add(inputs, kinds, ReferencedKind.SECRETS, namespace, named.secrets());
        add(inputs, kinds, ReferencedKind.CONFIG_MAPS, namespace, named.configMaps());
      }
      Optional<SourceObject> object = SourceObject.of(Source.of(stack.spec()));
      Optional<ReferencedKind> kind = object.map(ReferencedKind::of);
      kind.ifPresent(kinds::add);
      var last = stack.status().retry().last();
      return new User(
          DesireGate.ref(stack.identity()),
          last.endTime(),
          last.revision(),
          Set.copyOf(inputs),
          object.map(o -> ReferencedKind.of(o).key(namespace, o.name())),
          Set.copyOf(kinds));
    }

    private static void add(
        Set<Key> keys,
        Set<ReferencedKind> kinds,
        ReferencedKind kind,
        String namespace,
        Set<String> names) {
      names.forEach(name -> keys.add(kind.key(namespace, name)));
      if (!names.isEmpty()) {
        kinds.add(kind);
      }
    }

    String uid() {
      return stack.uid();
    }

    Set<Key> all() {
      Set<Key> all = new HashSet<>(inputs);
      source.ifPresent(all::add);
      return all;
    }
  }
}
