/**
 * The Stacks that another one waits for: how they stand, cycles among them, and asking them to run.
 */
@NullMarked
package dev.reprise.activities.prerequisite;

import org.jspecify.annotations.NullMarked;
