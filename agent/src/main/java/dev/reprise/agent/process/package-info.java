/**
 * Child processes as an operating system really has them: started as a session of their own, read
 * line by line with bounded memory, interrupted gently, and ended together with everything they
 * started.
 */
@NullMarked
package dev.reprise.agent.process;

import org.jspecify.annotations.NullMarked;
