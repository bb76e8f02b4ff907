package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.agent.FakeAgent.Script;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.proto.operation.Failure;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchResponse;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.temporal.client.ActivityCanceledException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way an operation can end, for every operation alike, as the agent tells it. */
class FailureTableTest extends OperationFixture {
  private static final String PENDING =
      """
      up failed: exit status 255
      stderr:
      error: the current deployment has 2 resource(s) with pending operations:
        * urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs, interrupted while creating
        * urn:pulumi:dev::shop::aws:s3/bucket:Bucket::web, interrupted while updating

      These resources are in an unknown state because the Pulumi CLI was interrupted.
      """;
  private static final String LOCKED =
      """
      up failed: exit status 255
      error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end
        file:///state/.pulumi/locks/dev/1.json: created by ann@laptop (pid 41) at 2026-11-30T23:10:00Z
      and some words at the end
      """;

  /**
   * What an agent does and what comes of it.
   *
   * @param plain whether the agent knows no operation ids
   * @param told part of the message; "" = a success, which has none
   */
  record Row(
      String name, boolean plain, Script script, Outcome outcome, boolean sent, String told) {
    @Override
    public String toString() {
      return name + (plain ? " (agent without ids)" : "");
    }
  }

  static Stream<Arguments> rows() {
    List<Row> rows = new ArrayList<>();
    for (boolean plain : List.of(false, true)) {
      rows.add(row("succeeded", plain, result("succeeded"), Outcome.SUCCEEDED, ""));
      rows.add(
          row("failed", plain, result("failed"), Outcome.OPERATION_FAILED, "quota is used up"));
      rows.add(
          row(
              "another word",
              plain,
              result("in-progress"),
              Outcome.OPERATION_FAILED,
              "in-progress"));
      rows.add(row("UNKNOWN", plain, unknown("boom"), Outcome.OPERATION_FAILED, "boom"));
      rows.add(
          row("UNKNOWN, no text", plain, unknown(""), Outcome.OPERATION_FAILED, "UpdateFailed"));
      rows.add(row("409", plain, detail(409), Outcome.UPDATE_CONFLICT, "told by a detail"));
      rows.add(
          row("locked", plain, unknown(LOCKED), Outcome.UPDATE_CONFLICT, "ann@laptop (pid 41)"));
      rows.add(row("401", plain, detail(401), Outcome.INVALID_ACCESS_TOKEN, "told by a detail"));
      rows.add(
          row(
              "pending operations",
              plain,
              unknown(PENDING),
              Outcome.PENDING_OPERATIONS,
              "Bucket::logs, interrupted while creating; urn:pulumi:dev::shop::aws:s3/bucket:Bucket"
                  + "::web, interrupted while updating; find out in the cloud"));
      rows.add(
          row(
              "no result",
              plain,
              (id, answer) -> answer.close(),
              Outcome.ENDED_WITHOUT_RESULT,
              "without a result"));
      for (Status.Code code :
          EnumSet.complementOf(EnumSet.of(Status.Code.OK, Status.Code.UNKNOWN))) {
        rows.add(row(code.name(), plain, broken(code, "lost it"), Outcome.INTERRUPTED, "lost it"));
      }
      rows.add(
          row("no words", plain, broken(Status.Code.UNAVAILABLE, ""), Outcome.INTERRUPTED, "UNAV"));
    }
    return rows.stream()
        .flatMap(row -> Stream.of(OperationKind.values()).map(kind -> Arguments.of(row, kind)));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("rows")
  void anOperationThatWasSentEndsAsTheTableSays(Row row, OperationKind kind) throws Exception {
    if (row.plain()) {
      use(FakeAgent.plain());
    }
    agent.any = Optional.of(row.script());

    OperationOutput output = run(kind);

    assertThat(output.outcome()).isEqualTo(row.outcome());
    assertThat(output.sent()).isEqualTo(row.sent());
    if (row.told().isEmpty()) {
      assertThat(output.message()).isEmpty();
    } else {
      assertThat(output.message()).contains(row.told()).hasSizeLessThan(1_500);
    }
    assertThat(agent.calls).contains(call(kind));
  }

  static Stream<Arguments> kinds() {
    return Stream.of(OperationKind.values()).map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void onlyAPreviewMayEndWithoutASummary(OperationKind kind) throws Exception {
    agent.any = Optional.of((id, answer) -> answer.result("", ""));

    assertThat(run(kind).outcome())
        .isEqualTo(kind == OperationKind.PREVIEW ? Outcome.SUCCEEDED : Outcome.OPERATION_FAILED);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anOwnAgentThatLostTheStreamIsAskedForTheResultById(OperationKind kind) throws Exception {
    for (Script lost :
        List.<Script>of(broken(Status.Code.UNAVAILABLE, "x"), (id, a) -> a.close())) {
      agent.any = Optional.of(lost);
      agent.state(id(kind), State.STATE_FINISHED);
      agent.watch =
          (id, stream) -> {
            stream.onNext(
                WatchResponse.newBuilder()
                    .setResult(
                        Result.newBuilder()
                            .setFailure(
                                Failure.newBuilder()
                                    .setCode(Status.Code.UNKNOWN.value())
                                    .setMessage("the real end")))
                    .build());
            stream.onCompleted();
          };

      OperationOutput output = run(kind);

      assertThat(output.outcome()).isEqualTo(Outcome.OPERATION_FAILED);
      assertThat(output.message()).isEqualTo("the real end");
      agent.known.clear();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anAgentBusyWithAnotherOperationIsWaitedForAndNotCounted(OperationKind kind)
      throws Exception {
    String other = "u-1/2/" + kind.word() + "/web-0a";
    agent.any =
        Optional.of(
            (id, answer) -> {
              Metadata trailers = new Metadata();
              trailers.put(AgentConnection.RUNNING_OPERATION_ID, other);
              answer.fail(new StatusRuntimeException(Status.ABORTED, trailers));
            });
    agent.watch = (id, stream) -> stream.onCompleted();

    OperationOutput output = run(kind);

    assertThat(output.outcome()).isEqualTo(Outcome.BUSY);
    assertThat(output.sent()).isFalse();
    assertThat(output.message()).contains(other);
    assertThat(agent.calls).contains("Watch " + other);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aCancelByAPersonAndTheTwoLimitsHaveOutcomesOfTheirOwn(OperationKind kind) throws Exception {
    use(FakeAgent.plain());
    agent.any = Optional.of((id, answer) -> answer.event(FakeAgent.stdout("working")));

    assertThat(limited(kind, Duration.ZERO, Duration.ofMinutes(5)).outcome())
        .isEqualTo(Outcome.TIMEOUT);
    assertThat(limited(kind, Duration.ofMinutes(5), Duration.ZERO).outcome())
        .isEqualTo(Outcome.IDLE_TIMEOUT);
    OperationOutput cancelled =
        new OperationAttempt(
                parts(ref -> stack),
                input(kind, Duration.ZERO, Duration.ZERO),
                false,
                beat -> {
                  if (agent.calls.stream().filter(call(kind)::equals).count() > 2) {
                    throw new ActivityCanceledException();
                  }
                })
            .run();
    assertThat(cancelled.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(cancelled.message()).isNotEmpty();
  }

  static Stream<Arguments> selections() {
    return Stream.of(Status.Code.values())
        .filter(code -> code != Status.Code.OK)
        .flatMap(code -> Stream.of(OperationKind.values()).map(kind -> Arguments.of(code, kind)));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("selections")
  void whatFailsBeforeTheCallIsSentIsNeverTakenForAnOperation(Status.Code code, OperationKind kind)
      throws Exception {
    agent.select = code.toStatus().withDescription("real words");

    OperationOutput output = run(kind);

    Outcome expected =
        switch (code) {
          case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, RESOURCE_EXHAUSTED ->
              Outcome.UNREACHABLE;
          case UNAUTHENTICATED, PERMISSION_DENIED -> Outcome.ACCESS_DENIED;
          default -> Outcome.WORKSPACE_FAILED;
        };
    assertThat(output.outcome()).isEqualTo(expected);
    assertThat(output.sent()).isFalse();
    assertThat(output.message()).contains("real words");
    assertThat(agent.calls).doesNotContain(call(kind));
    if (code == Status.Code.PERMISSION_DENIED) {
      assertThat(output.message()).contains("use on workspaces/rpc");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aTokenThatIsRefusedIsReadAnewOnce(OperationKind kind) throws Exception {
    agent.any = Optional.of(result("succeeded"));
    agent.select = Status.UNAUTHENTICATED;
    agent.beforeSelect =
        () -> {
          if (agent.count("SelectStack") > 1) {
            agent.select = Status.OK;
          }
        };

    assertThat(run(kind).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(agent.count("SelectStack")).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aSpecThatIsInvalidBySendingTimeIsRefusedWithTheField(OperationKind kind) throws Exception {
    GenericKubernetesResource resource = ((StackLookup.Found) stack).resource();
    resource.setAdditionalProperty("spec", Map.of("stack", "dev", "retry", "often"));

    OperationOutput output = run(kind);

    assertThat(output.outcome()).isEqualTo(Outcome.INPUT_REFUSED);
    assertThat(output.message()).contains("spec.retry");
    assertThat(agent.calls).isEmpty();
  }

  private OperationOutput run(OperationKind kind) throws InterruptedException {
    return limited(kind, Duration.ZERO, Duration.ZERO);
  }

  private OperationOutput limited(OperationKind kind, Duration idle, Duration timeout)
      throws InterruptedException {
    return new OperationAttempt(
            parts(ref -> stack),
            input(kind, idle, timeout),
            false,
            beat -> now.updateAndGet(t -> t.plus(Duration.ofSeconds(15))))
        .run();
  }

  private static OperationInput input(OperationKind kind, Duration idle, Duration timeout) {
    return new OperationInput(STACK, 3, kind, false, id(kind), "web-1a", false, idle, timeout);
  }

  private static String id(OperationKind kind) {
    return "u-1/3/" + kind.word() + "/web-1a";
  }

  private static String call(OperationKind kind) {
    String word = kind.word();
    return Character.toUpperCase(word.charAt(0)) + word.substring(1) + " " + id(kind);
  }

  private static Row row(String name, boolean plain, Script script, Outcome outcome, String told) {
    return new Row(name, plain, script, outcome, true, told);
  }

  private static Script result(String word) {
    return (id, answer) -> {
      answer.event(FakeAgent.stdout("working"));
      answer.result(word, "quota is used up");
    };
  }

  private static Script unknown(String text) {
    return broken(Status.Code.UNKNOWN, text);
  }

  private static Script broken(Status.Code code, String text) {
    Status status = text.isEmpty() ? code.toStatus() : code.toStatus().withDescription(text);
    return (id, answer) -> answer.fail(new StatusRuntimeException(status));
  }

  private static Script detail(int code) {
    return (id, answer) ->
        answer.fail(
            StatusProto.toStatusRuntimeException(
                com.google.rpc.Status.newBuilder()
                    .setCode(Status.Code.UNKNOWN.value())
                    .setMessage("told by a detail")
                    .addDetails(Any.pack(PulumiErrorInfo.newBuilder().setCode(code).build()))
                    .build()));
  }
}
