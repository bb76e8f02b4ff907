package dev.reprise.cli;

import dev.reprise.workflows.workflow.RunSearchAttributes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to a Temporal namespace, set up by the TEMPORAL_* settings every tool reads. */
final class TemporalConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TemporalConnection.class);
  private static final Duration REGISTER_LIMIT = Duration.ofSeconds(10);

  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;

  private TemporalConnection(ClientConfigProfile profile) {
    stubs = WorkflowServiceStubs.newServiceStubs(profile.toWorkflowServiceStubsOptions());
    client =
        WorkflowClient.newInstance(
            stubs,
            WorkflowClientOptions.newBuilder(profile.toWorkflowClientOptions())
                // Not every server takes them; without, the SDK warns once per process.
                .setWorkerHeartbeatInterval(Duration.ofSeconds(-1))
                .validateAndBuildWithDefaults());
  }

  /**
   * Connects lazily: a server that is away is waited for by whoever calls.
   *
   * @param address {@code host:port}; "" = what the environment or the configuration file says
   */
  static TemporalConnection to(String address, Map<String, String> environment) {
    Map<String, String> settings = new HashMap<>(environment);
    if (!address.isEmpty()) {
      settings.put("TEMPORAL_ADDRESS", address);
    }
    try {
      return new TemporalConnection(
          ClientConfigProfile.load(
              LoadClientConfigProfileOptions.newBuilder().setEnvOverrides(settings).build()));
    } catch (IOException | RuntimeException e) {
      throw new UserProblem("the TEMPORAL_* settings cannot be used: " + e.getMessage(), e);
    }
  }

  WorkflowClient client() {
    return client;
  }

  /**
   * Registers our search attributes with the namespace.
   *
   * @return the names that are registered now; without the right to register, none, and runs go
   *     without
   */
  List<String> registerSearchAttributes() {
    OperatorServiceStubs operator =
        OperatorServiceStubs.newServiceStubs(
            OperatorServiceStubsOptions.newBuilder()
                .setChannel(stubs.getRawChannel())
                .validateAndBuildWithDefaults());
    List<String> registered = new ArrayList<>();
    for (SearchAttributeKey<?> key : RunSearchAttributes.ALL) {
      if (register(operator, key)) {
        registered.add(key.getName());
      }
    }
    if (registered.size() < RunSearchAttributes.ALL.size()) {
      log.warn(
          "Only these search attributes could be registered: {}. The Web UI cannot filter by the"
              + " others; register them with: temporal operator search-attribute create",
          registered);
    }
    return registered;
  }

  private boolean register(OperatorServiceStubs operator, SearchAttributeKey<?> key) {
    try {
      operator
          .blockingStub()
          .withDeadlineAfter(REGISTER_LIMIT.toSeconds(), TimeUnit.SECONDS)
          .addSearchAttributes(
              AddSearchAttributesRequest.newBuilder()
                  .setNamespace(client.getOptions().getNamespace())
                  .putSearchAttributes(key.getName(), key.getValueType())
                  .build());
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.ALREADY_EXISTS) {
        return true;
      }
      log.debug("search attribute {} was not registered", key.getName(), e);
      return false;
    }
  }

  @Override
  public void close() {
    stubs.shutdownNow();
  }
}
