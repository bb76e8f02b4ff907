/**
 * Workspaces: a folder and an agent process per Stack behind an interface that other forms can
 * implement too, and the calls that make a workspace ready for an operation.
 */
@NullMarked
package dev.reprise.activities.workspace;

import org.jspecify.annotations.NullMarked;
