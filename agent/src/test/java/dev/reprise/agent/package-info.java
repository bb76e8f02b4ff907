/** Agents as a client sees them: real processes behind a real server. */
@NullMarked
package dev.reprise.agent;

import org.jspecify.annotations.NullMarked;
