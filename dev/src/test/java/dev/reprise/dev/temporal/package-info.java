/** The embedded Temporal service, and a stand-in for the {@code temporal} program. */
@NullMarked
package dev.reprise.dev.temporal;

import org.jspecify.annotations.NullMarked;
