package dev.reprise.e2e.fault;

import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.ProgramJournal;
import dev.reprise.e2e.world.StackHandle;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Some Stacks whose users ask for one operation after another: each waits for the last one's
 * success before the next wish, so that every wish is one operation unless a fault ends it early.
 */
public final class Load {
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final String TOKEN = "pulumi.com/reconciliation-request";

  private final List<StackHandle> stacks = new ArrayList<>();
  private final List<ProgramJournal> journals = new ArrayList<>();
  private final int wishes;

  /**
   * Applies the Stacks and waits until all are ready.
   *
   * @param stacks how many
   * @param wishes how many operations each is asked for, the first one included
   * @param body what an update does, as shell commands
   */
  public Load(Place place, int stacks, int wishes, String body) {
    this.wishes = wishes;
    var program =
        place.repository(
            Map.of(
                "up", ProgramJournal.program(body), "destroy", ProgramJournal.program("exit 0")));
    for (int i = 0; i < stacks; i++) {
      this.stacks.add(place.apply("s" + i, program, ""));
      this.journals.add(place.journal("s" + i));
    }
    this.stacks.forEach(StackHandle::awaitReady);
  }

  /** Makes all wishes at once for all Stacks, and returns what can be waited for. */
  public Running start() {
    ExecutorService users = Executors.newVirtualThreadPerTaskExecutor();
    return new Running(
        users, stacks.stream().map(stack -> users.submit(() -> use(stack))).toList());
  }

  /** The number of wishes that no operation answered. */
  private int use(StackHandle stack) {
    int lost = 0;
    for (int wish = 2; wish <= wishes; wish++) {
      String token = stack.name() + "-" + wish;
      untilAccepted(() -> stack.annotate(TOKEN, token));
      try {
        Awaitility.await(token)
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(300))
            .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
            .until(() -> stack.read().filter(object -> answered(object, token)).isPresent());
      } catch (ConditionTimeoutException e) {
        lost++;
      }
    }
    return lost;
  }

  /** A user whose kubectl found no API server tries again. */
  private static void untilAccepted(Runnable change) {
    Awaitility.await("the API server to take a change")
        .atMost(LIMIT)
        .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
        .until(
            () -> {
              change.run();
              return true;
            });
  }

  private static boolean answered(GenericKubernetesResource stack, String token) {
    return token.equals(stack.get("status", "retry", "last", "reconcileRequest"))
        && "succeeded".equals(stack.get("status", "retry", "last", "result"));
  }

  /** How many operations there are when no fault ends one early. */
  public long expected() {
    return (long) stacks.size() * wishes;
  }

  /** How many updates began. */
  public long seen() {
    return journals().stream().mapToLong(journal -> journal.begun("up")).sum();
  }

  /** How many updates began or ended so far: it grows as long as anything goes on. */
  public long steps() {
    return journals().stream().mapToLong(journal -> journal.lines().size()).sum();
  }

  /** Ids of operations that began and wrote no end. */
  public List<String> unended() {
    return journals().stream().flatMap(journal -> journal.unended().stream()).toList();
  }

  /** The journal of each Stack. */
  public List<ProgramJournal> journals() {
    return journals;
  }

  /** Wishes under way. */
  public record Running(ExecutorService users, List<Future<Integer>> lost)
      implements AutoCloseable {

    /** Whether some are not yet answered. */
    public boolean goesOn() {
      return lost.stream().anyMatch(user -> !user.isDone());
    }

    /** Waits for the end and gives the number of wishes that no operation answered. */
    public int awaitLost() {
      try {
        int sum = 0;
        for (Future<Integer> user : lost) {
          sum += user.get(LIMIT.toSeconds() * 2, TimeUnit.SECONDS);
        }
        return sum;
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      users.shutdownNow();
    }
  }
}
