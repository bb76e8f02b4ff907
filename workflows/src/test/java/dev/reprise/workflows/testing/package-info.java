/** A Stack and its world as tests see them: fakes written by hand. */
@NullMarked
package dev.reprise.workflows.testing;

import org.jspecify.annotations.NullMarked;
