package dev.reprise.dev.kube;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** The last 20,000 requests, to count calls. Safe to use from any thread. */
public final class RequestLog {
  private static final int KEPT = 20_000;

  private final Deque<RequestInfo> recent = new ArrayDeque<>();

  RequestLog() {}

  synchronized void add(RequestInfo request) {
    recent.addLast(request);
    if (recent.size() > KEPT) {
      recent.removeFirst();
    }
  }

  /** How many of the requests match. */
  public synchronized long count(Predicate<RequestInfo> matching) {
    return recent.stream().filter(matching).count();
  }

  /**
   * How many requests there were of this verb on this resource, named as in {@link RequestInfo}.
   */
  public long count(String verb, String resource) {
    return count(request -> request.is(verb, resource));
  }

  /** The requests, oldest first. */
  public synchronized List<RequestInfo> all() {
    return List.copyOf(new ArrayList<>(recent));
  }

  /** Begins to count anew. */
  public synchronized void reset() {
    recent.clear();
  }
}
