package dev.reprise.watcher;

import dev.reprise.stack.Stack;
import java.util.Optional;

/** Knows for each Stack how to ask its source. */
@FunctionalInterface
interface SourceQueries {
  /** The query for a Stack; empty when its revision does not move by itself. */
  Optional<SourceQuery> of(Stack stack);
}
