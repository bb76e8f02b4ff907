/**
 * Runs one operation over an agent's stream: sends it once, follows it by its id, passes a cancel
 * on, and keeps outputs and failure text in a Secret, so that neither passes through Temporal.
 */
@NullMarked
package dev.reprise.activities.operation;

import org.jspecify.annotations.NullMarked;
