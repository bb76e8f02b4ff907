package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.WatchRequest;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.Context;
import java.util.ArrayList;
import java.util.List;

/** A program that runs until it is told to end, and how tests start, ask and follow it. */
final class WaitingProgram {
  /** Announces itself, then waits for the file "go". */
  static final String WAITING =
      """
      trap 'echo interrupted; exit 130' INT
      echo $$ > pid
      echo waiting
      while [ ! -e go ]; do sleep 0.05; done
      echo going
      """;

  private WaitingProgram() {}

  static void start(Agent agent, String id) {
    try (Context.CancellableContext call = Context.current().withCancellation()) {
      call.run(
          () ->
              assertThat(agent.client(id).up(UpRequest.getDefaultInstance()).next().hasEvent())
                  .isTrue());
    }
  }

  static Operation describe(Agent agent, String id) {
    return agent.operations().describe(DescribeRequest.newBuilder().setId(id).build());
  }

  static List<WatchResponse> watch(Agent agent, String id) {
    List<WatchResponse> seen = new ArrayList<>();
    agent
        .operations()
        .watch(WatchRequest.newBuilder().setId(id).build())
        .forEachRemaining(seen::add);
    return seen;
  }
}
