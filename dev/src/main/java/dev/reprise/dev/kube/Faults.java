package dev.reprise.dev.kube;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes the server misbehave for a test. Safe to use from any thread. */
public final class Faults {
  /** Runs something where the server's state may be touched. */
  interface Loop {
    void run(Runnable task);
  }

  /** What happens to one request. */
  record Fault(int code, Duration delay) {
    static final Fault NONE = new Fault(0, Duration.ZERO);
  }

  private static final class Rule {
    private final Predicate<RequestInfo> matching;
    private final Fault fault;
    private int left;

    private Rule(int times, Predicate<RequestInfo> matching, Fault fault) {
      this.left = times;
      this.matching = matching;
      this.fault = fault;
    }
  }

  private final List<Rule> rules = new ArrayList<>();
  private final Loop loop;
  private final Api api;

  Faults(Loop loop, Api api) {
    this.loop = loop;
    this.api = api;
  }

  /** Answers the next {@code times} matching requests with an HTTP status and nothing done. */
  public synchronized void answer(int times, Predicate<RequestInfo> matching, int code) {
    rules.add(new Rule(times, matching, new Fault(code, Duration.ZERO)));
  }

  /** Handles the next {@code times} matching requests only after a delay. */
  public synchronized void delay(int times, Predicate<RequestInfo> matching, Duration delay) {
    rules.add(new Rule(times, matching, new Fault(0, delay)));
  }

  /** Forgets all rules and lets watches speak again. */
  public void clear() {
    synchronized (this) {
      rules.clear();
    }
    loop.run(() -> api.watches().silence(false));
  }

  /** Ends all open watches, as a restarting API server does. */
  public void closeWatches() {
    loop.run(() -> api.watches().closeAll());
  }

  /** Leaves all watches open but drops what happens until {@link #clear}. */
  public void silenceWatches() {
    loop.run(() -> api.watches().silence(true));
  }

  /** Forgets the past: a watch that resumes from before now gets 410 Gone. */
  public void forgetHistory() {
    loop.run(() -> api.store().compact());
  }

  synchronized Fault next(RequestInfo request) {
    for (Rule rule : rules) {
      if (rule.left > 0 && rule.matching.test(request)) {
        rule.left--;
        return rule.fault;
      }
    }
    return Fault.NONE;
  }
}
