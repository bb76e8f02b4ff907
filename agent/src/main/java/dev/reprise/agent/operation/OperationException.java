package dev.reprise.agent.operation;

import com.google.protobuf.Any;
import dev.reprise.proto.operation.Failure;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;

/** Why a call or an operation failed, in the terms of the wire: a status code and a text. */
public final class OperationException extends Exception {
  /** The trailer that names the running operation when another id is refused. */
  public static final Metadata.Key<String> RUNNING_OPERATION =
      Metadata.Key.of("reprise-running-operation-id", Metadata.ASCII_STRING_MARSHALLER);

  private final Status.Code code;
  private final transient List<Any> details;
  private final String runningId;

  private OperationException(
      Status.Code code, String message, List<Any> details, String runningId) {
    super(message);
    this.code = code;
    this.details = List.copyOf(details);
    this.runningId = runningId;
  }

  /** A failure without details. The message may be of any length; it is bounded on the way out. */
  public static OperationException of(Status.Code code, String message) {
    return new OperationException(code, message, List.of(), "");
  }

  /** A failure with details such as {@code agent.PulumiErrorInfo}. */
  public static OperationException of(Status.Code code, String message, List<Any> details) {
    return new OperationException(code, message, details, "");
  }

  /** ABORTED, because the agent runs one operation at a time. */
  public static OperationException busy(String runningId) {
    return new OperationException(
        Status.Code.ABORTED, "operation " + runningId + " is running", List.of(), runningId);
  }

  /** The status code this becomes. */
  public Status.Code code() {
    return code;
  }

  /** The text; never null, unlike what the type of {@code getMessage} says. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  /** The same as it is kept on disk and sent by Watch. */
  public Failure toFailure() {
    return Failure.newBuilder()
        .setCode(code.value())
        .setMessage(BoundedDescription.of(text()))
        .addAllDetails(details)
        .build();
  }

  /** Trailers to send beside the status. */
  public Metadata trailers() {
    Metadata trailers = new Metadata();
    if (!runningId.isEmpty()) {
      trailers.put(RUNNING_OPERATION, runningId);
    }
    return trailers;
  }
}
