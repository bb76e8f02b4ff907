/**
 * Fills a workspace before its agent starts: from a git repository, from the archive of a Flux
 * source, or with no more than a project file. Each can be repeated after it was cut off.
 */
@NullMarked
package dev.reprise.agent.init;

import org.jspecify.annotations.NullMarked;
