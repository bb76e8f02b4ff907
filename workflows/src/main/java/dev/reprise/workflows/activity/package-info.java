/**
 * The contracts between workflow code and the side effects it asks for: one input and one output
 * each.
 */
@NullMarked
package dev.reprise.workflows.activity;

import org.jspecify.annotations.NullMarked;
