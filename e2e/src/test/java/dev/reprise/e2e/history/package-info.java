/** Histories of real runs on real servers, kept for the replay tests of the workflow. */
@NullMarked
package dev.reprise.e2e.history;

import org.jspecify.annotations.NullMarked;
