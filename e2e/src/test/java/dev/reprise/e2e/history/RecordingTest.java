package dev.reprise.e2e.history;

import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.DevTemporal;
import dev.reprise.e2e.engine.ProductionTemporal;
import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.engine.Temporal;
import dev.reprise.e2e.product.DevProduct;
import dev.reprise.e2e.product.Product;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records anew what the present version does on the real servers, on purpose only: never again once
 * that version has been released.
 */
@Tag("record")
class RecordingTest {
  private static final int LONG = 3600;
  private static final String HOST = "127.0.0.1";

  private static final String THIRD_TIME =
      """
      echo . >> "$REPRISE_STATE/times"
      [ $(wc -l < "$REPRISE_STATE/times") -ge 3 ]
      """;

  @Test
  void runsOnTheDevelopmentServer(@TempDir Path folder) {
    try (Temporal temporal = new DevTemporal(Programs.fromEnvironment(), folder, HOST)) {
      record("DevServer", temporal, folder.resolve("product"));
    }
  }

  @Test
  void runsOnTheProductionServer(@TempDir Path folder) {
    try (Temporal temporal = new ProductionTemporal(Programs.fromEnvironment(), folder, HOST)) {
      record("Server", temporal, folder.resolve("product"));
    }
  }

  private static void record(String server, Temporal temporal, Path folder) {
    WorkflowServiceStubs service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(temporal.address()).build());
    try (Product product = new DevProduct(folder, temporal.address())) {
      WorkflowClient client = WorkflowClient.newInstance(service);
      HistoryKeeper keeper =
          new HistoryKeeper(client, server, System.getProperty("reprise.version", ""), folder);
      Scenarios scenarios = new Scenarios(product, client, keeper);
      scenarios.failuresThenSuccessThenNewRevision();
      scenarios.retryNowWithReset();
      scenarios.holdAndResume();
      scenarios.cancelledOperation();
      scenarios.cancelledRun();
      scenarios.newGeneration();
      scenarios.deletion();
    } finally {
      service.shutdownNow();
    }
  }

  private record Scenarios(Product product, WorkflowClient client, HistoryKeeper keeper) {

    void failuresThenSuccessThenNewRevision() {
      Product.Applied flaky = product.apply("flaky", THIRD_TIME, 1);
      flaky.stack().awaitReady();
      product.apply("flaky", "echo another revision", 1);
      awaitBegun(flaky, 4);
      flaky.stack().awaitReady();
      keeper.keep("failuresThenSuccessThenNewRevision", "flaky", 1);
    }

    void retryNowWithReset() {
      Product.Applied failing = product.apply("reset", "exit 1", LONG);
      failing.stack().awaitFailures(1);
      run(failing).signal("retryNow", Map.of("resetFailures", true, "reason", "quota raised"));
      awaitBegun(failing, 2);
      failing.stack().awaitReason("Reconciling", "RetryingAfterFailure");
      keeper.keep("retryNowWithReset", "reset", 1);
    }

    void holdAndResume() {
      Product.Applied held = product.apply("held", "exit 0", LONG);
      held.stack().awaitReady();
      run(held).signal("hold", "maintenance");
      held.stack().await("held", stack -> stack.get("status", "retry", "hold") != null);
      run(held).signal("resume");
      held.stack().awaitReady();
      keeper.keep("holdAndResume", "held", 1);
    }

    void cancelledOperation() {
      Product.Applied slow = product.apply("slow", "sleep 1000", LONG);
      awaitBegun(slow, 1);
      run(slow).signal("cancelOperation", "wrong window");
      slow.stack().awaitReason("Reconciling", "Cancelled");
      keeper.keep("cancelledOperation", "slow", 1);
    }

    void cancelledRun() {
      Product.Applied slow = product.apply("interrupted", "sleep 1000", LONG);
      awaitBegun(slow, 1);
      run(slow).cancel();
      awaitEnded(slow, 1);
      keeper.keep("cancelledRun", "interrupted", 2);
    }

    void newGeneration() {
      Product.Applied edited = product.apply("edited", "exit 1", LONG);
      edited.stack().awaitFailures(1);
      product.apply("edited", "exit 0", LONG - 1).stack().awaitReady();
      keeper.keep("newGeneration", "edited", 2);
    }

    void deletion() {
      Product.Applied deleted =
          product.apply("deleted", "[ $REPRISE_OPERATION = up ] && exit 0\n" + THIRD_TIME, 1);
      deleted.stack().awaitReady();
      deleted.stack().delete(DeletionPropagation.BACKGROUND);
      deleted.stack().awaitGone();
      keeper.keep("deletionWithFailingDestroys", "deleted", 2);
    }

    private WorkflowStub run(Product.Applied applied) {
      String uid = applied.stack().read().orElseThrow().getMetadata().getUid();
      return client.newUntypedWorkflowStub(
          "stack/" + applied.stack().namespace() + "/" + applied.stack().name() + "/" + uid);
    }

    private static void awaitBegun(Product.Applied applied, long times) {
      await("the program to have begun " + times + " times")
          .atMost(Duration.ofMinutes(1))
          .until(() -> applied.journal().begun("up") >= times);
    }

    private static void awaitEnded(Product.Applied applied, long times) {
      await("the program to have ended " + times + " times")
          .atMost(Duration.ofMinutes(1))
          .until(() -> applied.journal().ended("up") >= times);
    }
  }
}
