package dev.reprise.watcher;

import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.LogKeys;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Takes in every sight of a Stack, from the informer and from the list alike, and enqueues what is
 * wanted. It never blocks, and an object it cannot make sense of concerns no other.
 */
final class Intake implements ResourceEventHandler<GenericKubernetesResource> {
  private static final Logger log = LoggerFactory.getLogger(Intake.class);

  private final StackReader reader = new StackReader(Policy.DEFAULTS);
  private final Outbox outbox;
  private final InstantSource clock;
  private final SourcePoller sources;
  private final PolicyGate policies;
  private final Prerequisites prerequisites;
  private final References references;
  private final Map<String, StackSight> known = new ConcurrentHashMap<>();
  private final AtomicLong unreadable = new AtomicLong();

  Intake(
      Outbox outbox,
      SourcePoller sources,
      References references,
      PolicyGate policies,
      InstantSource clock) {
    this.outbox = outbox;
    this.sources = sources;
    this.references = references;
    this.prerequisites = new Prerequisites(clock);
    this.policies = policies;
    this.clock = clock;
  }

  @Override
  public void onAdd(GenericKubernetesResource stack) {
    seen(stack);
  }

  @Override
  public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource stack) {
    seen(stack);
  }

  @Override
  public void onDelete(GenericKubernetesResource stack, boolean lastStateUnknown) {
    gone(stack.getMetadata().getUid());
  }

  /** A Stack as it is now, or was a moment ago. */
  void seen(GenericKubernetesResource resource) {
    try (var s = MDC.putCloseable(LogKeys.STACK, name(resource))) {
      take(resource);
    } catch (RuntimeException e) {
      unreadable.incrementAndGet();
      log.warn("Stack {} cannot be judged and is left alone", name(resource), e);
    }
  }

  /** The Stack is gone. */
  void gone(String uid) {
    known.remove(uid);
    outbox.gone(uid);
    prerequisites.forget(uid).forEach(outbox::offer);
    sources.forget(uid);
    references.forget(uid);
  }

  /** The uids of the Stacks seen and not gone. */
  Set<String> known() {
    return Set.copyOf(known.keySet());
  }

  /** How many Stacks are seen and not gone. */
  int size() {
    return known.size();
  }

  /** What the Stacks seen and not gone show. */
  List<StackSight> sights() {
    return List.copyOf(known.values());
  }

  /** How many sights could not be judged. */
  long unreadable() {
    return unreadable.get();
  }

  private void take(GenericKubernetesResource resource) {
    String uid = StackReader.identity(resource).uid();
    if (uid.isEmpty()) {
      return;
    }
    known.putIfAbsent(uid, StackSight.unread(StackReader.identity(resource)));
    known.put(uid, StackSight.of(resource));
    Optional<Desire> wanted = DesireGate.wants(resource, clock.instant());
    offer(uid, Desire.Topic.OBJECT, wanted);
    // One signal is enough: whoever looks sees the policy too.
    offer(
        uid, Desire.Topic.POLICY, wanted.isPresent() ? Optional.empty() : policies.wants(resource));
    prerequisites.seen(resource).forEach(outbox::offer);
    refer(uid, resource);
  }

  private void refer(String uid, GenericKubernetesResource resource) {
    try {
      Stack stack = reader.read(resource);
      sources.seen(stack);
      references.seen(stack, StackReader.ignoresInputs(resource));
    } catch (SpecInvalid e) {
      // Nothing runs until the spec is changed, and that is a wish of its own.
      sources.forget(uid);
      references.forget(uid);
    }
  }

  private void offer(String uid, Desire.Topic topic, Optional<Desire> wanted) {
    wanted.ifPresentOrElse(outbox::offer, () -> outbox.fulfilled(uid, topic));
  }

  private static String name(GenericKubernetesResource resource) {
    return resource.getMetadata() == null
        ? "without metadata"
        : resource.getMetadata().getNamespace() + "/" + resource.getMetadata().getName();
  }
}
