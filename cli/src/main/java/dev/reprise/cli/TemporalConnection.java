package dev.reprise.cli;

import com.uber.m3.tally.NoopScope;
import com.uber.m3.tally.Scope;
import dev.reprise.workflows.workflow.RunSearchAttributes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;

  private TemporalConnection(ClientConfigProfile profile, Scope metrics) {
    stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder(profile.toWorkflowServiceStubsOptions())
                .setMetricsScope(metrics)
                .build());
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
    return to(address, environment, new NoopScope());
  }

  /**
   * The same.
   *
   * @param metrics where the SDK counts
   */
  static TemporalConnection to(String address, Map<String, String> environment, Scope metrics) {
    Map<String, String> settings = new HashMap<>(environment);
    if (!address.isEmpty()) {
      settings.put("TEMPORAL_ADDRESS", address);
    }
    try {
      return new TemporalConnection(
          ClientConfigProfile.load(
              LoadClientConfigProfileOptions.newBuilder().setEnvOverrides(settings).build()),
          metrics);
    } catch (IOException | RuntimeException e) {
      throw new UserProblem("the TEMPORAL_* settings cannot be used: " + e.getMessage(), e);
    }
  }

  WorkflowClient client() {
    return client;
  }

  /**
   * Waits until the service answers.
   *
   * @param limit give up after so long; zero = never
   * @throws UserProblem when it refuses us, when the limit has passed, or when the process is ended
   */
  void awaitServing(Duration limit) throws InterruptedException {
    Instant giveUp = limit.isZero() ? Instant.MAX : Instant.now().plus(limit);
    Duration pause = FIRST_PAUSE;
    boolean told = false;
    while (true) {
      try {
        describe(CALL_LIMIT);
        if (told) {
          log.info("Temporal at {} answers", target());
        }
        return;
      } catch (StatusRuntimeException e) {
        if (refused(e) || Instant.now().isAfter(giveUp)) {
          throw unusable(e);
        }
        if (!told) {
          log.warn(
              "Temporal at {} does not answer yet; trying until it does: {}",
              target(),
              e.getStatus());
        }
        told = true;
        if (UntilEnded.await(pause)) {
          throw unusable(e);
        }
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    }
  }

  private void describe(Duration limit) {
    stubs
        .blockingStub()
        .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
        .describeNamespace(
            DescribeNamespaceRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .build());
  }

  /** Asks once whether the namespace can be used: "" when it can, else why not. */
  String problem(Duration limit) {
    try {
      describe(limit);
      return "";
    } catch (StatusRuntimeException e) {
      return "Temporal at %s does not answer: %s".formatted(target(), e.getStatus());
    }
  }

  private static boolean refused(StatusRuntimeException e) {
    return switch (e.getStatus().getCode()) {
      case NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED, INVALID_ARGUMENT -> true;
      default -> false;
    };
  }

  private UserProblem unusable(StatusRuntimeException e) {
    return new UserProblem(
        "Temporal at %s, namespace %s: %s; check the TEMPORAL_* settings"
            .formatted(target(), client.getOptions().getNamespace(), e.getStatus()),
        e);
  }

  private String target() {
    return stubs.getOptions().getTarget();
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
          .withDeadlineAfter(CALL_LIMIT.toSeconds(), TimeUnit.SECONDS)
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
