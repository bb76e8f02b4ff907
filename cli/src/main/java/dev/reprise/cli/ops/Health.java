package dev.reprise.cli.ops;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The checks of a process, asked by probes. Each is given a limit: one that does not answer has
 * failed, which is how a process is found that lives but no longer gets anything done.
 */
public final class Health implements AutoCloseable {
  /** A kubelet waits 1 second unless told otherwise. */
  private static final Duration LIMIT = Duration.ofMillis(800);

  /** Which probe asks. */
  public enum Probe {
    /** Whether a restart would help: {@code /healthz}. */
    ALIVE("healthz"),
    /** Whether it does its work now: {@code /readyz}. */
    READY("readyz");

    private final String word;

    Probe(String word) {
      this.word = word;
    }

    String path() {
      return "/" + word;
    }
  }

  /**
   * What to answer.
   *
   * @param healthy whether no check failed
   * @param text one line for each check, then the verdict
   */
  record Answer(boolean healthy, String text) {}

  private final Map<Probe, Map<String, Check>> checks = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Without any check a process is healthy as long as it answers. */
  public Health() {
    for (Probe probe : Probe.values()) {
      checks.put(probe, new ConcurrentHashMap<>());
    }
  }

  /** Adds a check, or replaces the one of that name. */
  public void add(Probe probe, String name, Check check) {
    of(probe).put(name, check);
  }

  private Map<String, Check> of(Probe probe) {
    return checks.computeIfAbsent(probe, p -> new ConcurrentHashMap<>());
  }

  /** Asks all checks of a probe at once. */
  Answer ask(Probe probe) throws InterruptedException {
    Map<String, Future<String>> asked = new LinkedHashMap<>();
    asked.put("ping", threads.submit(() -> ""));
    of(probe).forEach((name, check) -> asked.put(name, threads.submit(check::problem)));
    long end = System.nanoTime() + LIMIT.toNanos();
    StringBuilder text = new StringBuilder();
    boolean healthy = true;
    for (Map.Entry<String, Future<String>> one : asked.entrySet()) {
      String problem = problem(one.getValue(), end - System.nanoTime());
      healthy &= problem.isEmpty();
      text.append(problem.isEmpty() ? "[+]" : "[-]")
          .append(one.getKey())
          .append(problem.isEmpty() ? " ok" : " failed: " + problem)
          .append('\n');
    }
    text.append(probe.word).append(healthy ? " check passed\n" : " check failed\n");
    return new Answer(healthy, text.toString());
  }

  private static String problem(Future<String> asked, long nanosLeft) throws InterruptedException {
    try {
      return asked.get(Math.max(0, nanosLeft), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      asked.cancel(true);
      return "no answer within " + LIMIT.toMillis() + " ms";
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
