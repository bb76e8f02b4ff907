package dev.reprise.agent.engine;

import com.google.protobuf.Any;
import dev.reprise.agent.operation.Kinds;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.BoundedText;
import dev.reprise.agent.process.OutputListener;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.proto.operation.Kind;
import io.grpc.Status;
import java.util.List;
import java.util.function.Consumer;

/**
 * A program's output as it passes by: masked first, then the first and last lines kept, and known
 * errors noticed wherever in it they stand.
 */
final class ProgramOutput implements OutputListener {
  /** Both wordings of a held lock: Pulumi Cloud's and that of the self-managed backends. */
  private static final List<String> CONFLICTS =
      List.of(
          "Conflict: Another update is currently in progress", "the stack is currently locked by");

  private static final String INVALID_TOKEN = "invalid access token";
  private static final int CONFLICT_CODE = 409;
  private static final int INVALID_TOKEN_CODE = 401;
  private static final int LINE_LIMIT = 16 * 1024;
  private static final int HEAD = 32 * 1024;
  private static final int TAIL = 96 * 1024;

  private final Masker masker;
  private final Consumer<String> lines;
  private final BoundedText out = new BoundedText(HEAD, TAIL);
  private final BoundedText err = new BoundedText(HEAD, TAIL);
  private String conflict = "";
  private String invalidToken = "";

  /**
   * @param lines gets each masked line, one at a time
   */
  ProgramOutput(Masker masker, Consumer<String> lines) {
    this.masker = masker;
    this.lines = lines;
  }

  @Override
  public synchronized void line(Source source, String line) {
    // Masked before it is cut, so that no half of a secret remains at the cut.
    String masked = masker.mask(line);
    String kept = masked.length() <= LINE_LIMIT ? masked : masked.substring(0, LINE_LIMIT) + " …";
    switch (source) {
      case STDOUT -> out.add(kept);
      case STDERR -> err.add(kept);
    }
    // Looked for in what was printed: a masked value may happen to be one of these words.
    if (CONFLICTS.stream().anyMatch(line::contains)) {
      conflict = kept;
    }
    if (line.contains(INVALID_TOKEN)) {
      invalidToken = kept;
    }
    lines.accept(kept);
  }

  String stdout() {
    return out.toString();
  }

  String stderr() {
    return err.toString();
  }

  /** The failure of an operation whose program ended with this code. */
  OperationException failure(Kind kind, int exitCode) {
    return failure(Status.Code.UNKNOWN, Kinds.word(kind), exitCode);
  }

  /** The failure of something else, such as an install. */
  synchronized OperationException failure(Status.Code code, String what, int exitCode) {
    String text =
        what + " failed: exit code " + exitCode + "\nstdout:\n" + stdout() + "stderr:\n" + stderr();
    return OperationException.of(code, text.stripTrailing(), details());
  }

  private List<Any> details() {
    if (!conflict.isEmpty()) {
      return List.of(detail(CONFLICT_CODE, "UpdateConflict", conflict));
    }
    return invalidToken.isEmpty()
        ? List.of()
        : List.of(detail(INVALID_TOKEN_CODE, "InvalidAccessToken", invalidToken));
  }

  private static Any detail(int code, String reason, String line) {
    String message = line.length() <= 500 ? line : line.substring(0, 500) + "…";
    return Any.pack(
        PulumiErrorInfo.newBuilder().setCode(code).setReason(reason).setMessage(message).build());
  }
}
