package dev.reprise.agent.engine;

import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.operation.Kind;

/** One of the four operations with what was asked for. */
public sealed interface OperationRequest {
  /** Tell what an up would change. */
  record Preview(PreviewRequest request) implements OperationRequest {}

  /** Bring the stack to what the program says. */
  record Up(UpRequest request) implements OperationRequest {}

  /** Bring the state to what is really there. */
  record Refresh(RefreshRequest request) implements OperationRequest {}

  /** Take everything back. */
  record Destroy(DestroyRequest request) implements OperationRequest {}

  /** The kind in the protocol's words. */
  default Kind kind() {
    return switch (this) {
      case Preview p -> Kind.KIND_PREVIEW;
      case Up u -> Kind.KIND_UP;
      case Refresh r -> Kind.KIND_REFRESH;
      case Destroy d -> Kind.KIND_DESTROY;
    };
  }
}
