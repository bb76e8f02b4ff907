/** Faults made on purpose while operations run, and the count of what came of them. */
@NullMarked
package dev.reprise.e2e.fault;

import org.jspecify.annotations.NullMarked;
