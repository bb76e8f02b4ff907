/**
 * A Temporal service for development: in this JVM, as a child process of the {@code temporal}
 * program, or one that somebody else runs.
 */
@NullMarked
package dev.reprise.dev.temporal;

import org.jspecify.annotations.NullMarked;
