package dev.reprise.e2e.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
@Tag("smoke")
class ProductionTemporalTest {
  private static final SearchAttributeKey<String> PHASE = SearchAttributeKey.forKeyword("Phase");

  private final ProductionTemporal temporal;
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;

  ProductionTemporalTest(@TempDir Path folder) {
    this.temporal =
        new ProductionTemporal(Programs.fromEnvironment(), folder.resolve("temporal"), "127.0.0.1");
    this.service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(temporal.address()).build());
    this.client = WorkflowClient.newInstance(service);
  }

  @BeforeEach
  void register() {
    OperatorServiceStubs operator =
        OperatorServiceStubs.newServiceStubs(
            OperatorServiceStubsOptions.newBuilder()
                .setTarget(temporal.address())
                .validateAndBuildWithDefaults());
    operator
        .blockingStub()
        .addSearchAttributes(
            AddSearchAttributesRequest.newBuilder()
                .setNamespace("default")
                .putSearchAttributes(PHASE.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                .build());
    operator.shutdownNow();
  }

  @AfterEach
  void close() {
    service.shutdownNow();
    temporal.close();
  }

  @Test
  void aRunIsThereAfterItsServerWasKilledAndThenItsDatabase() {
    await("the server to know the new search attribute everywhere")
        .ignoreExceptionsInstanceOf(WorkflowServiceException.class)
        .untilAsserted(() -> start("before"));

    temporal.kill();
    temporal.restart();
    assertOpen("before");

    temporal.killDatabase();
    temporal.restartDatabase();
    assertOpen("before");
    start("after");
    assertOpen("after");
  }

  private void start(String id) {
    client
        .newUntypedWorkflowStub(
            "Anything",
            WorkflowOptions.newBuilder()
                .setWorkflowId(id)
                .setTaskQueue("nobody-polls")
                .setTypedSearchAttributes(
                    SearchAttributes.newBuilder().set(PHASE, "Waiting").build())
                .build())
        .start();
  }

  private void assertOpen(String id) {
    WorkflowStub run = client.newUntypedWorkflowStub(id);
    assertThat(run.describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
    assertThat(run.describe().getTypedSearchAttributes().get(PHASE)).isEqualTo("Waiting");
  }
}
