package dev.reprise.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Asks the API server who a token belongs to, and whether that account may use the workspace. */
final class Reviews {
  private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final int FORBIDDEN = 403;
  private static final int CREATED = 201;
  private static final int OK = 200;

  private final ApiClient client;
  private final WorkspaceAccess access;

  Reviews(ApiClient client, WorkspaceAccess access) {
    this.client = client;
    this.access = access;
  }

  /**
   * Completes with the caller; or exceptionally with a {@link RefusedException}: UNAUTHENTICATED if
   * the token is not good, PERMISSION_DENIED if we may not ask, UNAVAILABLE if there is no answer.
   */
  CompletableFuture<Caller> whoSends(String token) {
    ObjectNode review = review("authentication.k8s.io/v1", "TokenReview");
    ObjectNode spec = review.putObject("spec");
    spec.put("token", token);
    spec.putArray("audiences").add(access.audience());
    return post(TOKENS, review)
        .thenApply(
            status -> {
              boolean meant = false;
              for (JsonNode audience : status.path("audiences")) {
                meant |= audience.asText().equals(access.audience());
              }
              // A server that knows no audiences names none, and may have taken any token.
              if (!status.path("authenticated").asBoolean() || !meant) {
                throw refused(
                    Status.UNAUTHENTICATED,
                    "Kubernetes does not accept the token for audience "
                        + access.audience()
                        + reason(status.path("error")));
              }
              JsonNode user = status.path("user");
              return new Caller(user.path("username").asText(), user);
            });
  }

  /**
   * Completes with whether the caller may use the workspace, and else why not; exceptionally as
   * {@link #whoSends}.
   */
  CompletableFuture<Verdict> mayUse(Caller caller) {
    ObjectNode review = review("authorization.k8s.io/v1", "SubjectAccessReview");
    ObjectNode spec = review.putObject("spec");
    spec.put("user", caller.user());
    copy(caller, "uid", spec, "uid");
    copy(caller, "groups", spec, "groups");
    copy(caller, "extra", spec, "extra");
    spec.putObject("resourceAttributes")
        .put("group", "auto.pulumi.com")
        .put("version", "v1alpha1")
        .put("resource", "workspaces")
        .put("subresource", "rpc")
        .put("verb", "use")
        .put("namespace", access.namespace())
        .put("name", access.name());
    return post(ACCESS, review)
        .thenApply(
            status ->
                new Verdict(status.path("allowed").asBoolean(), reason(status.path("reason"))));
  }

  /**
   * An answer about rights.
   *
   * @param allowed whether
   * @param reason why, as a part of a sentence; may be empty
   */
  record Verdict(boolean allowed, String reason) {}

  private static void copy(Caller caller, String from, ObjectNode spec, String to) {
    JsonNode value = caller.details().path(from);
    if (!value.isMissingNode() && !value.isNull()) {
      spec.set(to, value);
    }
  }

  private static ObjectNode review(String version, String kind) {
    return JsonNodeFactory.instance.objectNode().put("apiVersion", version).put("kind", kind);
  }

  private CompletableFuture<JsonNode> post(String path, ObjectNode review) {
    return client
        .post(path, review)
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw refused(Status.UNAVAILABLE, unanswered(path) + cause(failure));
              }
              return status(path, answer);
            });
  }

  private JsonNode status(String path, ApiClient.Answer answer) {
    if (answer.status() == CREATED || answer.status() == OK) {
      JsonNode status = answer.body().path("status");
      if (status.isObject()) {
        return status;
      }
    }
    String message = reason(answer.body().path("message"));
    if (answer.status() == FORBIDDEN) {
      throw refused(
          Status.PERMISSION_DENIED,
          "the agent cannot check who calls: bind ClusterRole system:auth-delegator to the pod's"
              + " service account "
              + client.api().account()
              + message);
    }
    throw refused(Status.UNAVAILABLE, unanswered(path) + "HTTP " + answer.status() + message);
  }

  private String unanswered(String path) {
    return "the agent cannot check who calls: the Kubernetes API "
        + client.api().server()
        + path
        + ": ";
  }

  private static String reason(JsonNode text) {
    return text.asText().isEmpty() ? "" : ": " + text.asText();
  }

  private static String cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    @Nullable String message = cause.getMessage();
    String type = cause.getClass().getSimpleName();
    return message == null ? type : type + " " + message;
  }

  private static CompletionException refused(Status status, String text) {
    return new CompletionException(new RefusedException(status.withDescription(text)));
  }
}
