package dev.reprise.agent.operation;

import com.google.protobuf.Struct;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.agent.process.OutputListener;
import java.time.Instant;

/** What a running operation may do: run its child, and tell how it goes. */
public interface OperationContext {
  /** The operation's id. */
  String id();

  /** When it started. */
  Instant startTime();

  /**
   * Runs a child to its end. It is in the journal before its output is read, belongs to this
   * operation's tree, and is interrupted if the operation is cancelled.
   *
   * @return its exit code
   * @throws OperationException CANCELLED if the operation was cancelled before it could start;
   *     UNKNOWN if it cannot be started
   */
  int run(ChildSpec spec, OutputListener listener) throws OperationException, InterruptedException;

  /**
   * Publishes an event.
   *
   * @param line what it says in one short line without secrets; empty keeps the line before
   */
  void event(Struct event, String line);

  /** Counts a resource operation that began. */
  void resourceStarted();

  /** Counts a resource operation that ended. */
  void resourceDone();

  /** Adds a line without secrets to the bounded log on disk. */
  void log(String line);
}
