/** Tests of {@code dev.reprise.agent.process}. */
@NullMarked
package dev.reprise.agent.process;

import org.jspecify.annotations.NullMarked;
