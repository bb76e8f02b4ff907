/**
 * Brings a program from a git repository into a workspace, without a git program: one revision,
 * checked out whole or not at all.
 */
@NullMarked
package dev.reprise.agent.git;

import org.jspecify.annotations.NullMarked;
