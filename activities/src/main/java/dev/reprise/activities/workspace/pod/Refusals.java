package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.Texts;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.stack.StackIdentity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;

/** What an API server's refusal means for a workspace. */
public final class Refusals {
  static final int UNPROCESSABLE = 422;

  private static final Duration BUSY = Duration.ofSeconds(5);
  private static final int LONGEST = 600;

  private Refusals() {}

  /** What passes is waited for, what somebody has to change is told. */
  public static Placement of(KubernetesClientException e, StackRef stack) {
    return switch (e.getCode()) {
      case HttpURLConnection.HTTP_CONFLICT ->
          new Placement.Starting("somebody else to finish changing the workspace's objects");
      case HttpURLConnection.HTTP_FORBIDDEN -> forbidden(e, stack);
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          refused("the API server does not know Reprise: check its service account");
      case HttpURLConnection.HTTP_BAD_REQUEST,
          UNPROCESSABLE,
          HttpURLConnection.HTTP_ENTITY_TOO_LARGE ->
          refused(
              "the workspace of %s is refused: %s; correct spec.workspaceTemplate"
                  .formatted(stack, text(e)));
      default ->
          new Placement.Starting(
              "the API server, which answers "
                  + (e.getCode() > 0 ? Integer.toString(e.getCode()) : "nothing"),
              BUSY);
    };
  }

  private static Placement forbidden(KubernetesClientException e, StackRef stack) {
    if (terminating(e.getStatus())) {
      return refused(
          ("NamespaceTerminating: namespace %s is being deleted, so the workspace of %s cannot be"
                  + " made and nothing of the Stack can be destroyed from there. To let it go"
                  + " without destroying, remove %s from the Stack's metadata.finalizers: kubectl"
                  + " patch stacks.pulumi.com %s -n %s --type=json -p"
                  + " '[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]'")
              .formatted(
                  stack.namespace(),
                  stack,
                  StackIdentity.FINALIZER,
                  stack.name(),
                  stack.namespace()));
    }
    return refused(
        "the workspace of %s is refused: %s; %s".formatted(stack, text(e), remedy(text(e))));
  }

  private static boolean terminating(Status status) {
    return status != null
        && status.getDetails() != null
        && status.getDetails().getCauses().stream()
            .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
  }

  /** Why no pod is made, where the StatefulSet's controller was refused one. */
  static Placement noPod(StackRef stack, String event) {
    return refused(
        "pod %s cannot be made: %s; %s"
            .formatted(Names.pod(stack.name()), Texts.excerpt(event, LONGEST), remedy(event)));
  }

  /** A StatefulSet of this name that is not marked as ours. */
  static Placement notOurs(StackRef stack, SetState set) {
    String owner = set.controller().isEmpty() ? "" : ", but to " + set.controller();
    String kind =
        set.controller().startsWith("Workspace ") ? "workspaces.auto.pulumi.com" : "statefulsets";
    String name =
        kind.equals("statefulsets") ? Names.object(stack.name()) : set.controller().substring(10);
    return refused(
        ("StatefulSet %s in namespace %s does not belong to Reprise%s: stop what manages it, then"
                + " delete it: kubectl delete %s %s -n %s")
            .formatted(
                Names.object(stack.name()),
                stack.namespace(),
                owner,
                kind,
                name,
                stack.namespace()));
  }

  private static String remedy(String text) {
    if (text.contains("exceeded quota") || text.contains("failed quota")) {
      return "raise the namespace's quota, or lower spec.workspaceTemplate.spec.resources";
    }
    if (text.contains("serviceaccount \"") && text.contains("not found")) {
      return "create the service account, or correct spec.serviceAccountName";
    }
    return text.contains("cannot patch resource") || text.contains("cannot create resource")
        ? "grant it to Reprise's service account"
        : "change spec.workspaceTemplate to what the cluster admits, or the cluster's policy";
  }

  static Placement refused(String message) {
    return new Placement.Refused(new WorkspaceOutput(Outcome.INPUT_REFUSED, message));
  }

  private static String text(KubernetesClientException e) {
    String told = e.getStatus() == null ? null : e.getStatus().getMessage();
    return Texts.excerpt(told == null ? String.valueOf(e.getMessage()) : told, LONGEST);
  }
}
