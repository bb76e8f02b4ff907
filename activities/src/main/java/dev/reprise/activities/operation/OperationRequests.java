package dev.reprise.activities.operation;

import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.decision.OperationKind;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The requests of one operation, from the Stack's fields and, where given, its {@code
 * updateTemplate}, which wins.
 */
final class OperationRequests {
  private final StackSpec spec;
  private final JsonNode template;
  private final OperationInput input;

  OperationRequests(StackSpec spec, OperationInput input) {
    this.spec = spec;
    this.template = spec.updateTemplate().path("spec");
    this.input = input;
  }

  OperationKind kind() {
    return input.kind();
  }

  /** Sent before every operation, as the agent's selection may be another one's by now. */
  SelectStackRequest select() {
    SelectStackRequest.Builder select =
        SelectStackRequest.newBuilder()
            .setStackName(spec.stack())
            .setCreate(!spec.useLocalStackOnly());
    if (!spec.secretsProvider().isEmpty()) {
      select.setSecretsProvider(spec.secretsProvider());
    }
    return select.build();
  }

  UpRequest up() {
    UpRequest.Builder up =
        UpRequest.newBuilder()
            .setMessage(message())
            .addAllReplace(texts("replace"))
            .addAllTarget(targets())
            .setTargetDependents(flag("targetDependents", spec.targetDependents()))
            .setRefresh(flag("refresh", spec.refresh()))
            .setContinueOnError(flag("continueOnError", false))
            .setExpectNoChanges(flag("expectNoChanges", false));
    if (parallel() > 0) {
      up.setParallel(parallel());
    }
    return up.build();
  }

  PreviewRequest preview() {
    PreviewRequest.Builder preview =
        PreviewRequest.newBuilder()
            .setMessage(message())
            .addAllReplace(texts("replace"))
            .addAllTarget(targets())
            .setTargetDependents(flag("targetDependents", spec.targetDependents()))
            .setRefresh(flag("refresh", spec.refresh()))
            .setExpectNoChanges(flag("expectNoChanges", false));
    if (parallel() > 0) {
      preview.setParallel(parallel());
    }
    return preview.build();
  }

  RefreshRequest refresh() {
    RefreshRequest.Builder refresh =
        RefreshRequest.newBuilder()
            .setMessage(message())
            .addAllTarget(targets())
            .setExpectNoChanges(flag("expectNoChanges", false))
            .setRunProgram(flag("runProgram", spec.runProgram()));
    if (parallel() > 0) {
      refresh.setParallel(parallel());
    }
    return refresh.build();
  }

  /** A deletion takes the stack's record in the backend away too, and as much as it can. */
  DestroyRequest destroy() {
    DestroyRequest.Builder destroy =
        DestroyRequest.newBuilder()
            .setMessage(message())
            .addAllTarget(targets())
            .setTargetDependents(flag("targetDependents", spec.targetDependents()))
            .setRefresh(flag("refresh", spec.refresh()))
            .setContinueOnError(flag("continueOnError", input.deletion()))
            .setRemove(flag("remove", input.deletion()))
            .setRunProgram(flag("runProgram", spec.runProgram()));
    if (parallel() > 0) {
      destroy.setParallel(parallel());
    }
    return destroy.build();
  }

  private String message() {
    return template
        .path("message")
        .asString("Reprise: %s, generation %d".formatted(kind().word(), input.generation()));
  }

  private int parallel() {
    return template.path("parallel").asInt(0);
  }

  private boolean flag(String name, boolean otherwise) {
    return template.path(name).asBoolean(otherwise);
  }

  private List<String> targets() {
    List<String> targets = texts("target");
    return targets.isEmpty() ? spec.targets() : targets;
  }

  private List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    template.path(name).forEach(text -> texts.add(text.asString("")));
    return texts;
  }
}
