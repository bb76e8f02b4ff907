/**
 * The durable sequence around the decisions: one run per Stack generation, its messages and its
 * waits.
 */
@NullMarked
package dev.reprise.workflows.workflow;

import org.jspecify.annotations.NullMarked;
