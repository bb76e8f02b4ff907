/** TODO. */
@NullMarked
package dev.reprise.workflows;

import org.jspecify.annotations.NullMarked;
