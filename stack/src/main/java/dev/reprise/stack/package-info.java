/** TODO. */
@NullMarked
package dev.reprise.stack;

import org.jspecify.annotations.NullMarked;
