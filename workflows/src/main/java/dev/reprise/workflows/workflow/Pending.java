package dev.reprise.workflows.workflow;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** An activity or timer that has been started in a cancellation scope of its own. */
final class Pending<T> {
  private final CancellationScope scope;
  private final Promise<T> promise;
  private final Promise<Boolean> settled;

  private Pending(CancellationScope scope, Promise<T> promise) {
    this.scope = scope;
    this.promise = promise;
    // Looked at here, so that the SDK does not warn of a cancellation nobody waited for.
    this.settled = promise.handle((value, failure) -> true);
  }

  /** Starts it; a cancellation of the run reaches it. */
  static <T> Pending<T> start(Supplier<Promise<T>> call) {
    List<Promise<T>> started = new ArrayList<>(1);
    CancellationScope scope = Workflow.newCancellationScope(() -> started.add(call.get()));
    scope.run();
    return new Pending<>(scope, started.getFirst());
  }

  /** Starts it apart from the run: only {@link #cancel} reaches it. */
  static <T> Pending<T> startDetached(Supplier<Promise<T>> call) {
    List<Promise<T>> started = new ArrayList<>(1);
    CancellationScope scope = Workflow.newDetachedCancellationScope(() -> started.add(call.get()));
    scope.run();
    return new Pending<>(scope, started.getFirst());
  }

  boolean completed() {
    return settled.isCompleted();
  }

  void cancel(String reason) {
    scope.cancel(reason);
  }

  T get() {
    return promise.get();
  }

  Promise<T> promise() {
    return promise;
  }
}
