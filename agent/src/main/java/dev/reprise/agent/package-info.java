/** TODO. */
@NullMarked
package dev.reprise.agent;

import org.jspecify.annotations.NullMarked;
