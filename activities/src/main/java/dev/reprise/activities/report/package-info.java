/**
 * Writes what a run wants shown to the Stack: status, events, and the marks that guard deletion.
 */
@NullMarked
package dev.reprise.activities.report;

import org.jspecify.annotations.NullMarked;
