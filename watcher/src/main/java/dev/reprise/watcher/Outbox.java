package dev.reprise.watcher;

/** Where wishes are handed in: those delivered a short while ago go no further. */
final class Outbox {
  private final DesireQueue queue;
  private final Deliveries deliveries;

  Outbox(DesireQueue queue, Deliveries deliveries) {
    this.queue = queue;
    this.deliveries = deliveries;
  }

  /** Enqueues a desire that is new or stands for long. */
  void offer(Desire desire) {
    if (deliveries.due(desire)) {
      queue.offer(desire);
    }
  }

  /** Nothing is wanted on that topic now. */
  void fulfilled(String uid, Desire.Topic topic) {
    deliveries.fulfilled(uid, topic);
  }

  /** The Stack is gone. */
  void gone(String uid) {
    queue.remove(uid);
    deliveries.forget(uid);
  }
}
