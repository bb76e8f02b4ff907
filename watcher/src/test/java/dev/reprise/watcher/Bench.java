package dev.reprise.watcher;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Intake, queue and delivery put together as in a watcher, driven by hand. */
final class Bench {
  final TestClock clock = new TestClock();
  final FakeStarter starter = new FakeStarter();
  final List<Duration> pauses = new ArrayList<>();
  final Deliveries deliveries = new Deliveries(clock);
  final DesireQueue queue = new DesireQueue(clock);
  final Outbox outbox = new Outbox(queue, deliveries);
  final Map<String, SourceQuery> sources = new HashMap<>();
  final SourcePoller poller =
      new SourcePoller(
          stack -> Optional.ofNullable(sources.get(stack.identity().name())),
          outbox,
          Runnable::run,
          clock);
  final Set<ReferencedKind> watched = new HashSet<>();
  final References references = new References(outbox, watched::add, true);
  final Intake intake =
      new Intake(
          outbox, poller, references, new PolicyGate(new StackReader(Policy.DEFAULTS)), clock);
  final Deliverer deliverer = new Deliverer(queue, deliveries, starter, pauses::add);

  /** Delivers all that is due. */
  void drain() throws InterruptedException {
    for (Optional<Desire> next = queue.poll(); next.isPresent(); next = queue.poll()) {
      deliverer.deliver(next.get());
    }
  }
}
