package dev.reprise.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.HealthTool;
import dev.reprise.e2e.world.HealthTool.Verdict;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StatusRecorder;
import dev.reprise.e2e.world.World;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs after all others of the shared world, over what they made the product write. */
@Tag("engines")
@Tag("smoke")
@Order(Integer.MAX_VALUE)
@ExtendWith(SharedWorld.class)
class StatusHealthTest {
  private static final Map<String, String> AGREEING =
      Map.of("Healthy", "Current", "Progressing", "InProgress", "Degraded", "Failed");

  @Test
  void otherToolsConcludeFromEveryWrittenStatusWhatTheStackIs(World world) {
    List<GenericKubernetesResource> written = world.statuses().written();
    List<Verdict> verdicts =
        new HealthTool(world.programs()).of(written.stream().map(StatusRecorder::line).toList());

    Map<String, Integer> counts = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      counts.merge(verdicts.get(i).toString(), 1, Integer::sum);
      String complaint = complaint(written.get(i), verdicts.get(i));
      if (!complaint.isEmpty()) {
        wrong.add(complaint + ": " + verdicts.get(i) + StatusRecorder.line(written.get(i)));
      }
    }

    System.out.println("statuses judged: " + written.size() + " " + counts);
    assertThat(wrong).isEmpty();
    assertThat(counts.keySet()).contains(new Verdict("Current", "Healthy").toString());
  }

  private static String complaint(GenericKubernetesResource stack, Verdict verdict) {
    boolean deleting = stack.getMetadata().getDeletionTimestamp() != null;
    String kstatus = deleting ? "Terminating" : AGREEING.getOrDefault(verdict.argo(), "none");
    if (!kstatus.equals(verdict.kstatus())) {
      return "the tools differ";
    }
    return verdict.argo().equals("Healthy") && !settled(stack) ? "healthy and is not" : "";
  }

  /** From the record of attempts, which the tools do not read. */
  private static boolean settled(GenericKubernetesResource stack) {
    return "succeeded".equals(stack.get("status", "retry", "last", "result"))
        && number(stack, "observedGeneration").equals(stack.getMetadata().getGeneration())
        && number(stack, "retry", "last", "generation").equals(stack.getMetadata().getGeneration())
        && number(stack, "retry", "failures").equals(0L)
        && stack.get("status", "retry", "running") == null
        && stack.get("status", "retry", "nextAttemptTime") == null;
  }

  private static Long number(GenericKubernetesResource stack, Object... path) {
    Object[] whole = new Object[path.length + 1];
    whole[0] = "status";
    System.arraycopy(path, 0, whole, 1, path.length);
    return Optional.ofNullable((Number) stack.get(whole)).map(Number::longValue).orElse(0L);
  }
}
