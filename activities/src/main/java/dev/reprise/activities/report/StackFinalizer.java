package dev.reprise.activities.report;

import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.workflows.activity.FinalizerActivity;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * Puts the finalizer and the mark "an up has been started" on, and takes the finalizer off, by JSON
 * Patch with a test of the version read, so that nobody else's change is lost. Not by server-side
 * apply: what another manager set, an apply does not remove.
 */
public final class StackFinalizer implements FinalizerActivity {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String TRUE = "true";

  /** Somebody else writing at the same moment, again and again, is left to Temporal's retries. */
  private static final int TRIES = 5;

  private static final int UNPROCESSABLE = 422;

  private static final StackEvent WORKSPACE_DELETED =
      new StackEvent(false, "WorkspaceDeleted", "the workspace has been deleted");

  private final StackObjects stacks;
  private final Workspaces workspaces;
  private final EventWriter events;
  private final InstantSource clock;

  /**
   * Marks Stacks through this client.
   *
   * @param cluster named by events as who reports
   */
  public StackFinalizer(
      KubernetesClient client, Workspaces workspaces, String cluster, InstantSource clock) {
    this.stacks = new StackObjects(client);
    this.workspaces = workspaces;
    this.events = new EventWriter(client, cluster);
    this.clock = clock;
  }

  @Override
  public MarkOutput mark(MarkInput input) {
    for (int i = 0; i < TRIES; i++) {
      Optional<GenericKubernetesResource> read = read(input.stack());
      if (read.isEmpty()) {
        return new MarkOutput(false);
      }
      StackIdentity identity = StackReader.identity(read.get());
      if (identity.deleting()) {
        return new MarkOutput(false);
      }
      boolean annotate = input.upStarting() && !identity.upStarted();
      if (identity.finalizerPresent() && !annotate) {
        return new MarkOutput(true);
      }
      ArrayNode patch = patchOf(identity);
      if (!identity.finalizerPresent()) {
        addFinalizer(patch, read.get());
      }
      if (annotate) {
        annotate(patch, read.get());
      }
      apply(input.stack(), identity, patch);
    }
    throw contended(input.stack());
  }

  @Override
  public ReleaseOutput release(StackRef stack) {
    // Deleting would end what runs; the workflow asks again later.
    if (workspaces.running(stack)) {
      return new ReleaseOutput(false);
    }
    workspaces.delete(stack);
    for (int i = 0; i < TRIES; i++) {
      Optional<GenericKubernetesResource> read = read(stack);
      if (read.isEmpty()) {
        return new ReleaseOutput(true);
      }
      StackIdentity identity = StackReader.identity(read.get());
      if (!identity.finalizerPresent()) {
        return new ReleaseOutput(true);
      }
      ArrayNode patch = patchOf(identity);
      String path =
          "/metadata/finalizers/" + finalizers(read.get()).indexOf(StackIdentity.FINALIZER);
      operation(patch, "test", path, StackIdentity.FINALIZER);
      patch.addObject().put("op", "remove").put("path", path);
      if (i == 0) {
        events.emit(stack, WORKSPACE_DELETED, clock.instant());
      }
      apply(stack, identity, patch);
    }
    throw contended(stack);
  }

  /** Empty when the Stack is gone; an unreadable one is an error that a retry may outlive. */
  private Optional<GenericKubernetesResource> read(StackRef stack) {
    return switch (stacks.get(stack)) {
      case StackLookup.Found found -> Optional.of(found.resource());
      case StackLookup.Gone gone -> Optional.empty();
      case StackLookup.Unreadable unreadable ->
          throw ApplicationFailure.newFailure(unreadable.detail(), "Unreadable");
    };
  }

  private static ArrayNode patchOf(StackIdentity identity) {
    ArrayNode patch = JSON.createArrayNode();
    operation(patch, "test", "/metadata/uid", identity.uid());
    operation(patch, "test", "/metadata/resourceVersion", identity.resourceVersion());
    return patch;
  }

  private static void addFinalizer(ArrayNode patch, GenericKubernetesResource resource) {
    if (finalizers(resource).isEmpty()) {
      patch
          .addObject()
          .put("op", "add")
          .put("path", "/metadata/finalizers")
          .putArray("value")
          .add(StackIdentity.FINALIZER);
    } else {
      operation(patch, "add", "/metadata/finalizers/-", StackIdentity.FINALIZER);
    }
  }

  private static void annotate(ArrayNode patch, GenericKubernetesResource resource) {
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    if (annotations == null || annotations.isEmpty()) {
      patch
          .addObject()
          .put("op", "add")
          .put("path", "/metadata/annotations")
          .putObject("value")
          .put(StackIdentity.UP_STARTED, TRUE);
    } else {
      String key = StackIdentity.UP_STARTED.replace("~", "~0").replace("/", "~1");
      operation(patch, "add", "/metadata/annotations/" + key, TRUE);
    }
  }

  private static void operation(ArrayNode patch, String op, String path, String value) {
    patch.addObject().put("op", op).put("path", path).put("value", value);
  }

  /** A failed test, or an object that went away, shows at the next read. */
  private void apply(StackRef stack, StackIdentity before, ArrayNode patch) {
    try {
      stacks.named(stack).patch(PatchContext.of(PatchType.JSON), patch.toString());
    } catch (KubernetesClientException e) {
      switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND -> {}
        case UNPROCESSABLE -> {
          if (unchanged(stack, before)) {
            throw e;
          }
        }
        default -> throw e;
      }
    }
  }

  /** Then it was not the test that failed: the server refuses the change itself. */
  private boolean unchanged(StackRef stack, StackIdentity before) {
    return read(stack)
        .map(now -> StackReader.identity(now).resourceVersion().equals(before.resourceVersion()))
        .orElse(false);
  }

  private static List<String> finalizers(GenericKubernetesResource resource) {
    List<String> finalizers = resource.getMetadata().getFinalizers();
    return finalizers == null ? List.of() : finalizers;
  }

  private static ApplicationFailure contended(StackRef stack) {
    return ApplicationFailure.newFailure(
        "Stack " + stack + " changes faster than it can be marked", "Conflict");
  }
}
