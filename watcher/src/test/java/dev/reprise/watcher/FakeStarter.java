package dev.reprise.watcher;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes deliveries, after the failures it was told to have. */
final class FakeStarter implements RunStarter {
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<Desire> delivered = new CopyOnWriteArrayList<>();
  final List<String> refuses = new ArrayList<>();
  private final Queue<Delivery> failures = new ArrayDeque<>();

  synchronized void failNext(int times) {
    for (int i = 0; i < times; i++) {
      failures.add(new Delivery.Unreachable("UNAVAILABLE: gone fishing"));
    }
  }

  @Override
  public synchronized Delivery deliver(Desire desire) {
    calls.add(desire.stack().name());
    if (refuses.contains(desire.stack().name())) {
      return new Delivery.Refused("INVALID_ARGUMENT: not this one");
    }
    Delivery failure = failures.poll();
    if (failure != null) {
      return failure;
    }
    delivered.add(desire);
    return new Delivery.Delivered();
  }

  List<String> deliveredNames() {
    return delivered.stream().map(desire -> desire.stack().name()).toList();
  }
}
