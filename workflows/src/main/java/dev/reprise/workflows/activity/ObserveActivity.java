package dev.reprise.workflows.activity;

import dev.reprise.workflows.decision.Observation;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Looks at a Stack and at everything it refers to. Reads only. */
@ActivityInterface
public interface ObserveActivity {

  /**
   * One snapshot from a quorum read. What only a person or time can mend comes back as data; a
   * failure of the API server is thrown and retried.
   */
  @ActivityMethod(name = "Observe")
  Observation observe(StackRef stack);
}
