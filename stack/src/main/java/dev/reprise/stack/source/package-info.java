/**
 * Where the program of a Stack comes from, and what that source points at now: the revision. Also
 * the digest by which a change of referenced configuration and secrets is noticed.
 */
@NullMarked
package dev.reprise.stack.source;

import org.jspecify.annotations.NullMarked;
