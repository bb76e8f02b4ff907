package dev.reprise.activities.prerequisite;

import dev.reprise.workflows.decision.RunRequest;

/** How a prerequisite stands towards a Stack that needs it. */
sealed interface Standing {

  /** For people; "" when it is satisfied. */
  String sentence();

  /** It is as it has to be. */
  record Satisfied() implements Standing {
    @Override
    public String sentence() {
      return "";
    }
  }

  /** It succeeded, but too long ago or at another revision: one more run would do. */
  record OutOfDate(String sentence, RunRequest request) implements Standing {}

  /** It is out of date, and about to run. */
  record OnTheWay(String sentence) implements Standing {}

  /** Asking it to run would not help. */
  record InTheWay(String sentence) implements Standing {}
}
