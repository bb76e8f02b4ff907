package dev.reprise.activities.agent;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a gRPC status from an agent means for an attempt. The same code means different things
 * before the operation's call was sent, where nothing can have run, and after.
 *
 * @param code the canonical code
 * @param text the description; may hold whole program output
 * @param errorCode {@code PulumiErrorInfo.code}; 0 = the status carries none
 * @param runningId the operation that runs instead of ours; "" = not told
 */
public record AgentStatus(Status.Code code, String text, int errorCode, String runningId) {
  private static final int CONFLICT = 409;
  private static final int INVALID_TOKEN = 401;

  /** Service backends and self-managed backends word it differently; only the first has a code. */
  private static final List<String> LOCKED =
      List.of("another update is currently in progress", "the stack is currently locked by");

  /** The error, not the warning "with N pending operations", with which an update goes on. */
  private static final Pattern PENDING =
      Pattern.compile("resources?(\\(s\\))? with pending operations", Pattern.CASE_INSENSITIVE);

  private static final Pattern ID =
      Pattern.compile("[0-9A-Za-z-]+/\\d+/(?:preview|up|refresh|destroy)/[0-9a-z.-]+");

  /** Reads the exception of a call. */
  public static AgentStatus of(StatusException e) {
    return of(e.getStatus(), e.getTrailers());
  }

  /** Reads a status and its trailers. */
  public static AgentStatus of(Status status, @Nullable Metadata trailers) {
    String text = status.getDescription() == null ? "" : status.getDescription();
    String running = trailers == null ? null : trailers.get(AgentConnection.RUNNING_OPERATION_ID);
    List<Any> details =
        trailers == null
            ? List.of()
            : StatusProto.fromStatusAndTrailers(status, trailers).getDetailsList();
    return new AgentStatus(
        status.getCode(), text, errorCode(details), running == null ? idIn(status, text) : running);
  }

  /** Reads a failure that was kept by the agent, as the operation service tells it. */
  public static AgentStatus of(dev.reprise.proto.operation.Failure failure) {
    return new AgentStatus(
        Status.fromCodeValue(failure.getCode()).getCode(),
        failure.getMessage(),
        errorCode(failure.getDetailsList()),
        "");
  }

  /** Whether nothing of it came from the agent's program: the way there is at fault. */
  public boolean unreachable() {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, RESOURCE_EXHAUSTED -> true;
      default -> false;
    };
  }

  /** Whether the agent does not offer the operation service. */
  public boolean unimplemented() {
    return code == Status.Code.UNIMPLEMENTED;
  }

  /** The end of an attempt whose operation was not sent yet. */
  public Outcome beforeSent() {
    if (unreachable()) {
      return Outcome.UNREACHABLE;
    }
    return switch (code) {
      case UNAUTHENTICATED, PERMISSION_DENIED -> Outcome.ACCESS_DENIED;
      default -> Outcome.WORKSPACE_FAILED;
    };
  }

  /** The end of an operation whose call was sent; a busy agent is told by {@link #runningId}. */
  public Outcome operating() {
    if (code != Status.Code.UNKNOWN) {
      return Outcome.INTERRUPTED;
    }
    if (errorCode == CONFLICT || tellsOfLock(text)) {
      return Outcome.UPDATE_CONFLICT;
    }
    if (errorCode == INVALID_TOKEN) {
      return Outcome.INVALID_ACCESS_TOKEN;
    }
    return PENDING.matcher(text).find() ? Outcome.PENDING_OPERATIONS : Outcome.OPERATION_FAILED;
  }

  /** Whether a text says that somebody else holds the stack's lock. */
  public static boolean tellsOfLock(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return LOCKED.stream().anyMatch(lower::contains);
  }

  /** What has to be granted after a refusal, to be put behind its text; "" for anything else. */
  public String remedy() {
    return switch (code) {
      case PERMISSION_DENIED ->
          "; grant Reprise's service account the verb use on workspaces/rpc in group"
              + " auto.pulumi.com";
      case UNAUTHENTICATED ->
          "; the agent took no token, not a fresh one either: bind the Stack's service account to"
              + " ClusterRole system:auth-delegator, and check the agent's audience";
      default -> "";
    };
  }

  private static String idIn(Status status, String text) {
    if (status.getCode() != Status.Code.ABORTED) {
      return "";
    }
    var matcher = ID.matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private static int errorCode(List<Any> details) {
    for (Any detail : details) {
      if (detail.is(PulumiErrorInfo.class)) {
        try {
          return detail.unpack(PulumiErrorInfo.class).getCode();
        } catch (InvalidProtocolBufferException e) {
          return 0;
        }
      }
    }
    return 0;
  }
}
