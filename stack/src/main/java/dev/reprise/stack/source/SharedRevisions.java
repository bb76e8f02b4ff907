package dev.reprise.stack.source;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Shares what a source answered, a refusal included, among all who ask within some seconds, so that
 * a hundred Stacks of one repository cost one call. Who asks while that call is under way waits for
 * it.
 */
public final class SharedRevisions {
  /**
   * What one answer is good for.
   *
   * @param credential tells credentials apart without being one: the name and version of a Secret,
   *     or a digest
   */
  public record Key(String repository, String ref, String credential) {}

  /** The call to a source. */
  @FunctionalInterface
  public interface Load {
    /** Asks the source. */
    String load() throws SourceUnavailable;
  }

  private final Duration freshFor;
  private final Duration limit;
  private final InstantSource clock;
  private final ConcurrentMap<Key, Answer> answers = new ConcurrentHashMap<>();

  /**
   * Makes an empty store.
   *
   * @param freshFor how long an answer is shared after it came
   * @param limit the longest to wait for a call that another caller has begun
   * @param clock tells when an answer has aged
   */
  public SharedRevisions(Duration freshFor, Duration limit, InstantSource clock) {
    this.freshFor = freshFor;
    this.limit = limit;
    this.clock = clock;
  }

  /**
   * The answer shared under a key, else that of {@code load}, called on this thread.
   *
   * @throws SourceUnavailable as {@code load} did, or when another caller's call takes longer than
   *     the limit
   * @throws InterruptedException when interrupted while waiting for another caller's call
   */
  public String get(Key key, Load load) throws SourceUnavailable, InterruptedException {
    Answer answer =
        answers.compute(key, (k, held) -> held != null && held.isFresh() ? held : new Answer(load));
    answer.run(); // does nothing when it runs or ran already
    answers.values().removeIf(other -> !other.isFresh());
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SourceUnavailable(key.repository(), "did not answer in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SourceUnavailable unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException("asking a source failed", e.getCause());
    }
  }

  int size() {
    return answers.size();
  }

  private final class Answer extends FutureTask<String> {
    private volatile Instant ended = Instant.MAX;

    Answer(Load load) {
      super(load::load);
    }

    @Override
    protected void done() {
      ended = clock.instant();
    }

    boolean isFresh() {
      return ended.equals(Instant.MAX) || clock.instant().isBefore(ended.plus(freshFor));
    }
  }
}
