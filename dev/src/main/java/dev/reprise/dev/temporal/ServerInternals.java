package dev.reprise.dev.temporal;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.temporal.internal.testservice.TestWorkflowService;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * What the test server knows of a run and has no call for. Read by reflection, so an update of the
 * library may move it: then this fails when it is made, not in the middle of something.
 */
final class ServerInternals {
  private static final String PACKAGE = TestWorkflowService.class.getPackageName();

  private final Method tokenOf;
  private final Method runOfToken;
  private final Method stateOf;
  private final Field lock;
  private final Field timers;
  private final Field activities;

  /**
   * One run, as the server has it. The maps are guarded by the lock.
   *
   * @param timers by timer id, those that have neither fired nor been cancelled
   * @param activities by the id of the event that scheduled them, those that have not ended
   */
  record Run(Lock lock, Map<?, ?> timers, Map<?, ?> activities) {}

  /**
   * Finds everything it needs.
   *
   * @throws IllegalStateException when this version of the test server has no such parts
   */
  ServerInternals() {
    try {
      Class<?> token = Class.forName(PACKAGE + ".WorkflowTaskToken");
      Class<?> state = Class.forName(PACKAGE + ".TestWorkflowMutableStateImpl");
      Class<?> execution = Class.forName(PACKAGE + ".ExecutionId");
      tokenOf = open(token.getDeclaredMethod("fromBytes", ByteString.class));
      runOfToken = open(token.getDeclaredMethod("getExecutionId"));
      stateOf = open(TestWorkflowService.class.getDeclaredMethod("getMutableState", execution));
      lock = open(state.getDeclaredField("lock"));
      timers = open(state.getDeclaredField("timers"));
      activities = open(state.getDeclaredField("activities"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this version of temporal-test-server keeps its runs elsewhere; look again whether "
              + OvertakenTasks.class.getSimpleName()
              + " is still needed",
          e);
    }
  }

  private static <T extends AccessibleObject> T open(T part) {
    part.setAccessible(true);
    return part;
  }

  /** The run that a workflow task belongs to; empty when it is no longer known. */
  Optional<Run> run(TestWorkflowService service, ByteString taskToken) {
    try {
      Object state = stateOf.invoke(service, runOfToken.invoke(tokenOf.invoke(null, taskToken)));
      return Optional.of(
          new Run(
              (Lock) lock.get(state),
              (Map<?, ?>) timers.get(state),
              (Map<?, ?>) activities.get(state)));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof StatusRuntimeException) {
        return Optional.empty();
      }
      throw new IllegalStateException("cannot look at a run of the test server", e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot look at a run of the test server", e);
    }
  }
}
