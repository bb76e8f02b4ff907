package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.Access;
import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.PulumiVersionRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.UpRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KubernetesCheckTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final FakeApi api;
  private final AgentServer agent;
  private final ManagedChannel channel;

  KubernetesCheckTest(@TempDir Path folder) throws Exception {
    api = new FakeApi(folder);
    Path workspace = Files.createDirectories(folder.resolve("workspace"));
    Files.writeString(workspace.resolve("up"), "#!/bin/sh\necho done\n");
    Files.setPosixFilePermissions(
        workspace.resolve("up"), PosixFilePermissions.fromString("rwxr-xr-x"));
    agent =
        AgentServer.start(
            AgentConfig.of(workspace, folder.resolve("state"))
                .withClock(now::get)
                .withAccess(
                    new Access.Kubernetes(
                        new WorkspaceAccess("shop.team", "team", "shop"), api.address())));
    channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    agent.close();
    api.close();
  }

  private AutomationServiceGrpc.AutomationServiceBlockingStub client(String authorization) {
    Metadata headers = new Metadata();
    if (!authorization.isEmpty()) {
      headers.put(AUTHORIZATION, authorization);
    }
    return AutomationServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private String call(String token) {
    return client("Bearer " + token)
        .pulumiVersion(PulumiVersionRequest.getDefaultInstance())
        .getVersion();
  }

  private Status refusal(String token) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> call(token)).getStatus();
  }

  private void pass(Duration time) {
    now.updateAndGet(t -> t.plus(time));
  }

  @Test
  void bothQuestionsAreAskedAsTheProtocolSays() throws Exception {
    assertThat(call("good")).isNotEmpty();

    assertThat(api.asked).hasSize(2);
    assertThat(api.asked)
        .extracting(FakeApi.Asked::path)
        .containsExactly(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews");
    assertThat(api.asked).allMatch(asked -> asked.authorization().equals("Bearer own-1"));
    assertThat(api.asked.get(0).body())
        .hasToString(
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":"
                + "{\"token\":\"good\",\"audiences\":[\"shop.team\"]}}");
    assertThat(api.asked.get(1).body().path("spec"))
        .hasToString(
            "{\"user\":\"system:serviceaccount:ops:good\",\"uid\":\"u-1\","
                + "\"groups\":[\"g1\",\"g2\"],\"extra\":{\"k\":[\"v\"]},\"resourceAttributes\":"
                + "{\"group\":\"auto.pulumi.com\",\"version\":\"v1alpha1\","
                + "\"resource\":\"workspaces\",\"subresource\":\"rpc\",\"verb\":\"use\","
                + "\"namespace\":\"team\",\"name\":\"shop\"}}");
  }

  @Test
  void streamsPassAsWell() {
    client("Bearer good")
        .selectStack(SelectStackRequest.newBuilder().setStackName("dev").setCreate(true).build());
    List<Object> messages = new ArrayList<>();
    client("Bearer good").up(UpRequest.getDefaultInstance()).forEachRemaining(messages::add);

    assertThat(messages).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"''", "Basic good"})
  void aCallWithoutATokenIsRefusedUnasked(String authorization) {
    refuseUnasked(authorization);

    assertThat(api.asked).isEmpty();
  }

  private void refuseUnasked(String authorization) {
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> client(authorization).pulumiVersion(PulumiVersionRequest.getDefaultInstance()));

    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void aGoodTokenIsRememberedForAnHourAndTheRightForFiveMinutes() {
    call("good");
    pass(Duration.ofMinutes(5).minusMillis(1));
    call("good");
    assertThat(api.asked).hasSize(2);

    pass(Duration.ofMillis(1));
    call("good");
    assertThat(api.tokenReviews()).isEqualTo(1);
    assertThat(api.accessReviews()).isEqualTo(2);

    pass(Duration.ofMinutes(55).minusMillis(1));
    call("good");
    assertThat(api.tokenReviews()).isEqualTo(1);
    pass(Duration.ofMillis(1));
    call("good");
    assertThat(api.tokenReviews()).isEqualTo(2);
  }

  @Test
  void aTokenIsNotRememberedBeyondItsOwnEnd() {
    String claims = "{\"exp\": " + START.plusSeconds(90).getEpochSecond() + "}";
    String token =
        "good."
            + Base64.getUrlEncoder().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
            + ".x";
    call(token);
    pass(Duration.ofSeconds(89));
    call(token);
    assertThat(api.tokenReviews()).isEqualTo(1);

    pass(Duration.ofSeconds(1));
    call(token);
    assertThat(api.tokenReviews()).isEqualTo(2);
  }

  @Test
  void aBadTokenIsRememberedForAMinute() {
    Status refused = refusal("bad-canary");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused.getDescription())
        .contains("audience shop.team", "token is expired")
        .doesNotContain("canary");

    pass(Duration.ofMinutes(1).minusMillis(1));
    assertThat(refusal("bad-canary").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(api.tokenReviews()).isEqualTo(1);
    pass(Duration.ofMillis(1));
    assertThat(refusal("bad-canary").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(api.tokenReviews()).isEqualTo(2);
    assertThat(api.accessReviews()).isZero();
  }

  @Test
  void aTokenForAnotherAudienceIsBad() {
    api.audience = "other.team";

    assertThat(refusal("good").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void theLackOfARightIsRememberedForFiveSeconds() {
    api.allowed = false;
    Status refused = refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.getDescription())
        .contains("system:serviceaccount:ops:good", "team/shop", "workspaces/rpc", "no rule");

    api.allowed = true;
    pass(Duration.ofSeconds(5).minusMillis(1));
    assertThat(refusal("good").getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    pass(Duration.ofMillis(1));
    assertThat(call("good")).isNotEmpty();
  }

  @Test
  void aPodThatMayNotAskSaysWhichBindingItNeeds() {
    api.status = 403;
    api.message = "cannot create resource tokenreviews";
    Status refused = refusal("good");

    assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.getDescription())
        .contains("ClusterRole system:auth-delegator", "team/runner", "cannot create resource");

    api.status = 201;
    assertThat(call("good")).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"500", "503", "429", "401"})
  void anApiServerThatFailsIsNoRefusalAndNotRemembered(int status) {
    api.status = status;
    api.message = "later";
    Status refused = refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains("HTTP " + status, "later", "tokenreviews");

    api.status = 201;
    assertThat(call("good")).isNotEmpty();
  }

  @Test
  void anApiServerThatIsAwayIsNamed() {
    api.close();

    Status refused = refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains(api.address().server().toString());
  }

  @Test
  void theOwnTokenIsReadAnew() throws Exception {
    call("good");
    Files.writeString(api.tokenFile, "own-2");
    call("good2");

    assertThat(api.asked.getLast().authorization()).isEqualTo("Bearer own-2");
  }

  @Test
  void aMissingOwnTokenIsNoRefusal() throws IOException {
    Files.delete(api.tokenFile);

    assertThat(refusal("good").getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void manyCallersOfOneTokenShareOneQuestionAndHoldNoThreads() {
    api.gate = new CountDownLatch(1);
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(CompletableFuture.supplyAsync(() -> call("good"), Thread::startVirtualThread));
    }
    await().until(() -> api.asked.size() == 1);
    api.gate.countDown();
    assertThat(calls).allSatisfy(c -> assertThat(c.join()).isNotEmpty());

    assertThat(api.asked).hasSize(2);
  }

  @Test
  void questionsDoNotPileUp() {
    api.gate = new CountDownLatch(1);
    List<CompletableFuture<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String token = "good" + i;
      waiting.add(CompletableFuture.supplyAsync(() -> call(token), Thread::startVirtualThread));
    }
    await().until(() -> api.asked.size() == 16);

    Status refused = refusal("good-more");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains("unanswered");
    assertThat(agentThreads()).isLessThan(16);

    api.gate.countDown();
    assertThat(waiting).allSatisfy(c -> assertThat(c.join()).isNotEmpty());
    assertThat(call("good-more")).isNotEmpty();
  }

  private static long agentThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("agent-call-"))
        // Idle threads of the pool wait with a limit.
        .filter(thread -> thread.getState() != Thread.State.TIMED_WAITING)
        .count();
  }

  @Test
  void aCallCancelledWhileItIsHeldDoesNotRun() {
    api.gate = new CountDownLatch(1);
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                client("Bearer good")
                    .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                    .selectStack(
                        SelectStackRequest.newBuilder()
                            .setStackName("never")
                            .setCreate(true)
                            .build()));
    // On the same connection, so by its answer the agent has heard of the cancellation.
    refuseUnasked("");
    api.gate.countDown();

    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call("good")).isNotEmpty();
    Status missing =
        catchThrowableOfType(
                StatusRuntimeException.class,
                () ->
                    client("Bearer good")
                        .selectStack(SelectStackRequest.newBuilder().setStackName("never").build()))
            .getStatus();
    assertThat(missing.getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }
}
