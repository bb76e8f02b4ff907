package dev.reprise.agent.engine;

import dev.reprise.agent.operation.Kinds;
import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.PolicyPack;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.UpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as arguments of the Pulumi CLI. A field that is absent or false adds nothing, so that
 * the CLI's own defaults hold and an older CLI without a flag still works as long as nobody asks
 * for it.
 */
final class PulumiArguments {
  private final List<String> words = new ArrayList<>();

  private PulumiArguments() {}

  static List<String> of(OperationRequest request, String stack, Path eventLog) {
    PulumiArguments arguments = new PulumiArguments();
    arguments.words.addAll(
        List.of(Kinds.word(request.kind()), "--stack", stack, "--non-interactive"));
    arguments.words.addAll(List.of("--color", "never", "--event-log", eventLog.toString()));
    switch (request) {
      case OperationRequest.Preview preview -> arguments.preview(preview.request());
      case OperationRequest.Up up -> arguments.approved().up(up.request());
      case OperationRequest.Refresh refresh -> arguments.approved().refresh(refresh.request());
      case OperationRequest.Destroy destroy -> arguments.approved().destroy(destroy.request());
    }
    return List.copyOf(arguments.words);
  }

  private PulumiArguments approved() {
    words.addAll(List.of("--yes", "--skip-preview"));
    return this;
  }

  private void preview(PreviewRequest r) {
    parallel(r.hasParallel(), r.getParallel());
    message(r.getMessage());
    flag("--expect-no-changes", r.getExpectNoChanges());
    each("--replace", r.getReplaceList());
    each("--target", r.getTargetList());
    flag("--target-dependents", r.getTargetDependents());
    each("--policy-pack", r.getPolicyPackList().stream().map(PolicyPack::getName).toList());
    flag("--refresh", r.getRefresh());
  }

  private void up(UpRequest r) {
    parallel(r.hasParallel(), r.getParallel());
    message(r.getMessage());
    flag("--expect-no-changes", r.getExpectNoChanges());
    each("--replace", r.getReplaceList());
    each("--target", r.getTargetList());
    flag("--target-dependents", r.getTargetDependents());
    each("--policy-pack", r.getPolicyPackList().stream().map(PolicyPack::getName).toList());
    flag("--refresh", r.getRefresh());
    flag("--continue-on-error", r.getContinueOnError());
  }

  private void refresh(RefreshRequest r) {
    parallel(r.hasParallel(), r.getParallel());
    message(r.getMessage());
    flag("--expect-no-changes", r.getExpectNoChanges());
    each("--target", r.getTargetList());
    flag("--run-program", r.getRunProgram());
  }

  private void destroy(DestroyRequest r) {
    parallel(r.hasParallel(), r.getParallel());
    message(r.getMessage());
    each("--target", r.getTargetList());
    flag("--target-dependents", r.getTargetDependents());
    flag("--refresh", r.getRefresh());
    flag("--continue-on-error", r.getContinueOnError());
    flag("--remove", r.getRemove());
    flag("--run-program", r.getRunProgram());
  }

  private void parallel(boolean given, int value) {
    if (given) {
      words.addAll(List.of("--parallel", Integer.toString(value)));
    }
  }

  private void message(String message) {
    if (!message.isEmpty()) {
      words.addAll(List.of("--message", message));
    }
  }

  private void flag(String name, boolean on) {
    if (on) {
      words.add(name);
    }
  }

  private void each(String name, List<String> values) {
    values.forEach(value -> words.addAll(List.of(name, value)));
  }
}
