package dev.reprise.workflows.condition;

/** Where a Stack's run stands; the value of the search attribute {@code StackPhase}. */
public enum Phase {
  PREPARING("Preparing", Story.IN_PROGRESS),
  RUNNING("Running", Story.IN_PROGRESS),
  CANCELLING("Cancelling", Story.IN_PROGRESS),
  COOLING_DOWN("CoolingDown", Story.IN_PROGRESS),
  WAITING_FOR_PREREQUISITES("WaitingForPrerequisites", Story.IN_PROGRESS),
  RELEASING("Releasing", Story.IN_PROGRESS),
  IN_SYNC("InSync", Story.DONE),
  STALLED("Stalled", Story.STALLED),
  PAUSED("Paused", Story.UNCHANGED);

  /** The one story a Stack's conditions tell. */
  public enum Story {
    /** Ready. */
    DONE,
    /** Reconciling, never Ready. */
    IN_PROGRESS,
    /** Stalled, never Ready: somebody has to do something. */
    STALLED,
    /** The conditions shown before stay. */
    UNCHANGED
  }

  private final String word;
  private final Story story;

  Phase(String word, Story story) {
    this.word = word;
    this.story = story;
  }

  /** The CamelCase word for search attributes and tables. */
  public String word() {
    return word;
  }

  /** What the conditions say in this phase. */
  public Story story() {
    return story;
  }
}
