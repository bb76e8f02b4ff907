package dev.reprise.activities.operation;

import dev.reprise.proto.agent.DestroyResult;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.PreviewResult;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.proto.agent.RefreshResult;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpdateSummary;
import dev.reprise.workflows.decision.OperationKind;
import java.util.Map;

/**
 * What the four kinds of results have in common.
 *
 * @param kind which operation
 * @param summary Pulumi's summary; the default instance for a preview, which has none
 * @param summarized whether the agent sent a summary
 * @param stdout what the program printed
 * @param stderr what it printed as errors
 * @param permalink the backend's page; "" = none
 * @param project the Pulumi project; the default instance = not told
 * @param outputs by name; only an up has any
 */
record OperationResult(
    OperationKind kind,
    UpdateSummary summary,
    boolean summarized,
    String stdout,
    String stderr,
    String permalink,
    ProjectInfo project,
    Map<String, OutputValue> outputs) {
  private static final String SUCCEEDED = "succeeded";

  static OperationResult of(UpResult up) {
    return new OperationResult(
        OperationKind.UP,
        up.getSummary(),
        up.hasSummary(),
        up.getStdout(),
        up.getStderr(),
        up.getPermalink(),
        up.getProjectInfo(),
        up.getOutputsMap());
  }

  static OperationResult of(PreviewResult preview) {
    return new OperationResult(
        OperationKind.PREVIEW,
        preview.getSummary(),
        preview.hasSummary(),
        preview.getStdout(),
        preview.getStderr(),
        preview.getPermalink(),
        preview.getProjectInfo(),
        Map.of());
  }

  static OperationResult of(RefreshResult refresh) {
    return new OperationResult(
        OperationKind.REFRESH,
        refresh.getSummary(),
        refresh.hasSummary(),
        refresh.getStdout(),
        refresh.getStderr(),
        refresh.getPermalink(),
        refresh.getProjectInfo(),
        Map.of());
  }

  static OperationResult of(DestroyResult destroy) {
    return new OperationResult(
        OperationKind.DESTROY,
        destroy.getSummary(),
        destroy.hasSummary(),
        destroy.getStdout(),
        destroy.getStderr(),
        destroy.getPermalink(),
        destroy.getProjectInfo(),
        Map.of());
  }

  /** Pulumi's own word decides; a preview without a summary went through. */
  boolean succeeded() {
    return summarized ? summary.getResult().equals(SUCCEEDED) : kind == OperationKind.PREVIEW;
  }

  /** Why it did not succeed, from the most to the least telling part. */
  String failureText() {
    String result =
        summarized
            ? "%s ended as \"%s\"".formatted(kind.word(), summary.getResult())
            : kind.word() + " ended without a summary";
    StringBuilder text = new StringBuilder(result);
    for (String part : new String[] {summary.getMessage(), stderr, stdout}) {
      if (!part.isBlank()) {
        text.append('\n').append(part);
      }
    }
    return text.toString();
  }
}
