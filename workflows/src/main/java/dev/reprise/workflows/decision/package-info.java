/**
 * What a Stack needs next, as pure functions of what was observed, what is remembered and the time.
 */
@NullMarked
package dev.reprise.workflows.decision;

import org.jspecify.annotations.NullMarked;
