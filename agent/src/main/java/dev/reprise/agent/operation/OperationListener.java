package dev.reprise.agent.operation;

import com.google.protobuf.Struct;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;

/** Follows one operation: a snapshot, then the events after it, then the result, in this order. */
public interface OperationListener {
  /** Where the operation stands; no event after it is missed, none before it is repeated. */
  void snapshot(Operation operation);

  /** An engine event. */
  void event(Struct event);

  /** The end; nothing follows. */
  void result(Result result);
}
