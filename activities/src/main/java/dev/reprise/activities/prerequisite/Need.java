package dev.reprise.activities.prerequisite;

import dev.reprise.stack.Stack;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.Prerequisite;

/**
 * What a Stack needs of one of its prerequisites.
 *
 * @param who the Stack that needs it, as namespace/name
 * @param wanted the prerequisite and what is required of it
 * @param preview whether the Stack only previews
 * @param source its own source
 * @param revision what it is about to run; "" = without a source
 */
record Need(String who, Prerequisite wanted, boolean preview, Source source, String revision) {

  static Need of(Stack stack, Prerequisite wanted, boolean preview, String revision) {
    return new Need(
        stack.identity().namespace() + "/" + stack.identity().name(),
        wanted,
        preview,
        Source.of(stack.spec()),
        revision);
  }

  /** The same where it is not known what the Stack is about to run. */
  Need atAnyRevision() {
    String within = wanted.requirement().succeededWithinDuration();
    Prerequisite any = new Prerequisite(wanted.name(), new Prerequisite.Requirement(within, false));
    return new Need(who, any, preview, source, "");
  }
}
