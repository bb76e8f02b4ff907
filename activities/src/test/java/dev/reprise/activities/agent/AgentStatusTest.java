package dev.reprise.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AgentStatusTest {

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE, UNREACHABLE",
    "DEADLINE_EXCEEDED, UNREACHABLE",
    "CANCELLED, UNREACHABLE",
    "INTERNAL, UNREACHABLE",
    "RESOURCE_EXHAUSTED, UNREACHABLE",
    "UNAUTHENTICATED, ACCESS_DENIED",
    "PERMISSION_DENIED, ACCESS_DENIED",
    "ABORTED, WORKSPACE_FAILED",
    "NOT_FOUND, WORKSPACE_FAILED",
    "FAILED_PRECONDITION, WORKSPACE_FAILED",
    "INVALID_ARGUMENT, WORKSPACE_FAILED",
    "UNKNOWN, WORKSPACE_FAILED",
    "UNIMPLEMENTED, WORKSPACE_FAILED",
    "ALREADY_EXISTS, WORKSPACE_FAILED",
    "OUT_OF_RANGE, WORKSPACE_FAILED",
    "DATA_LOSS, WORKSPACE_FAILED"
  })
  void beforeTheOperationIsSent(Status.Code code, Outcome outcome) {
    assertThat(AgentStatus.of(code.toStatus(), null).beforeSent()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void everyCodeButUnknownInterruptsAnOperation(Status.Code code) {
    Outcome expected =
        EnumSet.of(Status.Code.UNKNOWN).contains(code)
            ? Outcome.OPERATION_FAILED
            : Outcome.INTERRUPTED;
    assertThat(AgentStatus.of(code.toStatus(), null).operating()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "409, UPDATE_CONFLICT",
    "401, INVALID_ACCESS_TOKEN",
    "500, OPERATION_FAILED",
  })
  void detailsRefineAFailure(int code, Outcome outcome) {
    StatusRuntimeException e =
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNKNOWN.value())
                .setMessage("up failed: …")
                .addDetails(Any.pack(PulumiErrorInfo.newBuilder().setCode(code).build()))
                .build());
    assertThat(AgentStatus.of(e.getStatus(), e.getTrailers()).operating()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "error: [409] Conflict: Another update is currently in progress.|UPDATE_CONFLICT",
        "error: the stack is currently locked by 1 lock(s)|UPDATE_CONFLICT",
        "error: the current deployment has 1 resource(s) with pending operations:|PENDING_OPERATIONS",
        "warning: Attempting to deploy or update resources with 1 pending operations|OPERATION_FAILED",
        "error: bucket name is taken|OPERATION_FAILED"
      })
  void textsRefineAFailure(String text, Outcome outcome) {
    assertThat(AgentStatus.of(Status.UNKNOWN.withDescription("up failed: " + text), null))
        .extracting(AgentStatus::operating)
        .isEqualTo(outcome);
  }

  @Test
  void aBusyAgentNamesWhatRunsInTheTrailerOrTheText() {
    Metadata trailers = new Metadata();
    trailers.put(AgentConnection.RUNNING_OPERATION_ID, "u-1/3/up/web-1a");
    assertThat(AgentStatus.of(Status.ABORTED, trailers).runningId()).isEqualTo("u-1/3/up/web-1a");
    assertThat(
            AgentStatus.of(
                    Status.ABORTED.withDescription("operation u-1/4/destroy/web-2b is running"),
                    null)
                .runningId())
        .isEqualTo("u-1/4/destroy/web-2b");
    assertThat(AgentStatus.of(Status.ABORTED.withDescription("no"), null).runningId()).isEmpty();
  }
}
