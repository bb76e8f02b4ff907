package dev.reprise.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call pass when Kubernetes accepts its token for this workspace's audience and allows the
 * account to use the workspace. While the API server is asked no thread waits. Good tokens are
 * remembered for an hour, but not beyond their own end, bad ones for a minute; rights for five
 * minutes, the lack of them for five seconds. Only hashes are kept.
 */
public final class KubernetesCheck implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger(KubernetesCheck.class);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String BEARER = "Bearer ";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Duration GOOD_TOKEN = Duration.ofHours(1);
  private static final Duration BAD_TOKEN = Duration.ofMinutes(1);
  private static final Duration ALLOWED = Duration.ofMinutes(5);
  private static final Duration DENIED = Duration.ofSeconds(5);

  /** A workspace has one or two callers; more is somebody trying tokens. */
  private static final int REMEMBERED = 256;

  /** Questions under way at once; one more is told to come again. */
  private static final int MOST_QUESTIONS = 16;

  private final WorkspaceAccess access;
  private final Reviews reviews;
  private final Executor executor;
  private final InstantSource clock;
  private final Answers<Identity> tokens;
  private final Answers<Reviews.Verdict> rights;
  private int questions;

  /** Whom a token belongs to, or why it is refused; and until when its word is taken. */
  private record Identity(Caller caller, Status refusal, Instant until) {}

  /**
   * @param executor where calls go on after the answer
   */
  public KubernetesCheck(
      WorkspaceAccess access, ClusterApi api, Executor executor, InstantSource clock) {
    this.access = access;
    this.reviews = new Reviews(new ApiClient(api, executor), access);
    this.executor = executor;
    this.clock = clock;
    this.tokens =
        new Answers<>(REMEMBERED, id -> Duration.between(clock.instant(), id.until()), clock);
    this.rights = new Answers<>(REMEMBERED, v -> v.allowed() ? ALLOWED : DENIED, clock);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String sent = headers.get(AUTHORIZATION);
    if (sent == null || !sent.startsWith(BEARER)) {
      call.close(
          Status.UNAUTHENTICATED.withDescription("a bearer token is missing"), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    CompletableFuture<Status> answer = check(sent.substring(BEARER.length()).strip());
    HeldCall<Q, A> held = new HeldCall<>(call, Context.current());
    if (answer.isDone()) {
      held.decide(answer.join(), headers, next);
    } else {
      CompletableFuture<Void> going =
          answer
              .thenAcceptAsync(status -> held.decide(status, headers, next), executor)
              .whenComplete((done, failure) -> endFailed(call, failure));
      log.trace("asking whether a call may pass: {}", going);
    }
    return held;
  }

  private static void endFailed(ServerCall<?, ?> call, @Nullable Throwable failure) {
    if (failure != null) {
      log.error("a call failed inside the agent", failure);
      call.close(Status.INTERNAL.withDescription("the agent failed: " + failure), new Metadata());
    }
  }

  /** Completes with OK or with the reason of a refusal, never exceptionally. */
  private CompletableFuture<Status> check(String token) {
    return tokens
        .get(hash(token), () -> limited(() -> identify(token)))
        .thenCompose(
            id -> {
              if (!id.refusal().isOk()) {
                return CompletableFuture.completedFuture(id.refusal());
              }
              return rights
                  .get(
                      hash(id.caller().details().toString()),
                      () -> limited(() -> reviews.mayUse(id.caller())))
                  .thenApply(verdict -> status(id.caller(), verdict));
            })
        .exceptionally(KubernetesCheck::refusal);
  }

  private CompletableFuture<Identity> identify(String token) {
    return reviews
        .whoSends(token)
        .handle(
            (caller, failure) -> {
              Instant now = clock.instant();
              if (failure == null) {
                Instant end = expiry(token);
                Instant longest = now.plus(GOOD_TOKEN);
                return new Identity(caller, Status.OK, end.isBefore(longest) ? end : longest);
              }
              Status status = refusal(failure);
              if (status.getCode() != Status.Code.UNAUTHENTICATED) {
                throw new CompletionException(failure);
              }
              return new Identity(new Caller("", JSON.nullNode()), status, now.plus(BAD_TOKEN));
            });
  }

  private Status status(Caller caller, Reviews.Verdict verdict) {
    return verdict.allowed()
        ? Status.OK
        : Status.PERMISSION_DENIED.withDescription(
            caller.user()
                + " may not use workspace "
                + access.namespace()
                + "/"
                + access.name()
                + ": grant it verb use on workspaces/rpc in group auto.pulumi.com"
                + verdict.reason());
  }

  private interface Question<A> {
    CompletableFuture<A> ask();
  }

  private synchronized <A> CompletableFuture<A> limited(Question<A> question) {
    if (questions >= MOST_QUESTIONS) {
      return CompletableFuture.failedFuture(
          new RefusedException(
              Status.UNAVAILABLE.withDescription(
                  "the agent cannot check who calls: "
                      + MOST_QUESTIONS
                      + " questions to the Kubernetes API are unanswered")));
    }
    questions++;
    return question.ask().whenComplete((answer, failure) -> answered());
  }

  private synchronized void answered() {
    questions--;
  }

  private static Status refusal(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof RefusedException refused) {
        return refused.status();
      }
    }
    return Status.INTERNAL.withDescription("the agent failed to check who calls: " + failure);
  }

  /** The end a token names for itself; only ever shortens what the API server allowed. */
  private static Instant expiry(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length == 3) {
      try {
        JsonNode end = JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
        if (end.isNumber()) {
          return Instant.ofEpochSecond(end.longValue());
        }
      } catch (IOException | IllegalArgumentException notAWebToken) {
        return Instant.MAX;
      }
    }
    return Instant.MAX;
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }
}
