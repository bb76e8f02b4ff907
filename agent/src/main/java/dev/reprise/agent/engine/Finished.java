package dev.reprise.agent.engine;

import com.google.protobuf.Timestamp;
import dev.reprise.proto.agent.DestroyResult;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.PreviewResult;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.proto.agent.RefreshResult;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpdateSummary;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Result;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A succeeded operation, before it is put into the message of its kind. */
record Finished(
    String stdout,
    String stderr,
    UpdateSummary summary,
    Map<String, OutputValue> outputs,
    Optional<String> permalink,
    Optional<ProjectInfo> project) {

  Result toResult(Kind kind) {
    return switch (kind) {
      case KIND_PREVIEW -> Result.newBuilder().setPreview(preview()).build();
      case KIND_UP -> Result.newBuilder().setUp(up()).build();
      case KIND_REFRESH -> Result.newBuilder().setRefresh(refresh()).build();
      case KIND_DESTROY -> Result.newBuilder().setDestroy(destroy()).build();
      case KIND_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException(kind.name());
    };
  }

  /** Without a summary: a preview changes nothing, so there is no update to summarise. */
  private PreviewResult preview() {
    PreviewResult.Builder result = PreviewResult.newBuilder().setStdout(stdout).setStderr(stderr);
    permalink.ifPresent(result::setPermalink);
    project.ifPresent(result::setProjectInfo);
    return result.build();
  }

  private UpResult up() {
    UpResult.Builder result =
        UpResult.newBuilder()
            .setStdout(stdout)
            .setStderr(stderr)
            .setSummary(summary)
            .putAllOutputs(outputs);
    permalink.ifPresent(result::setPermalink);
    project.ifPresent(result::setProjectInfo);
    return result.build();
  }

  private RefreshResult refresh() {
    RefreshResult.Builder result =
        RefreshResult.newBuilder().setStdout(stdout).setStderr(stderr).setSummary(summary);
    permalink.ifPresent(result::setPermalink);
    project.ifPresent(result::setProjectInfo);
    return result.build();
  }

  private DestroyResult destroy() {
    DestroyResult.Builder result =
        DestroyResult.newBuilder().setStdout(stdout).setStderr(stderr).setSummary(summary);
    permalink.ifPresent(result::setPermalink);
    project.ifPresent(result::setProjectInfo);
    return result.build();
  }

  static UpdateSummary succeeded(Instant start, Instant end, String message) {
    return UpdateSummary.newBuilder()
        .setStartTime(timestamp(start))
        .setEndTime(timestamp(end))
        .setResult("succeeded")
        .setMessage(message)
        .build();
  }

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
