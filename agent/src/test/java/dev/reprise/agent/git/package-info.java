/** Tests of {@code dev.reprise.agent.git}. */
@NullMarked
package dev.reprise.agent.git;

import org.jspecify.annotations.NullMarked;
