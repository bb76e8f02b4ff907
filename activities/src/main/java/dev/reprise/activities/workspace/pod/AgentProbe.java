package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.Endpoint;
import io.grpc.StatusException;
import java.net.ConnectException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether replacing a pod would end an operation with it. */
@FunctionalInterface
interface AgentProbe {
  /** Short enough for an activity of ten seconds. */
  Duration LIMIT = Duration.ofSeconds(3);

  /** What an agent is doing. */
  enum Activity {
    /** Nothing. */
    IDLE,
    /** It runs an operation. */
    BUSY,
    /** Nobody listens there, so that nothing runs either. */
    ABSENT,
    /** It does not tell. */
    SILENT
  }

  /** Answers within some seconds. */
  Activity ask(Endpoint endpoint);

  /** Asks the agent itself. */
  AgentProbe BY_CALL =
      endpoint -> {
        try (AgentConnection agent = AgentConnection.open(endpoint)) {
          return agent.running(LIMIT) ? Activity.BUSY : Activity.IDLE;
        } catch (StatusException e) {
          return refusedConnection(e) ? Activity.ABSENT : Activity.SILENT;
        }
      };

  private static boolean refusedConnection(StatusException e) {
    @Nullable Throwable cause = e.getCause();
    while (cause != null && !(cause instanceof ConnectException)) {
      cause = cause.getCause();
    }
    return cause != null && String.valueOf(cause.getMessage()).contains("refused");
  }
}
