/** TODO. */
@NullMarked
package dev.reprise.dev;

import org.jspecify.annotations.NullMarked;
