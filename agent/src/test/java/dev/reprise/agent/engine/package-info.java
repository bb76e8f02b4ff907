/** Tests of {@code dev.reprise.agent.engine}. */
@NullMarked
package dev.reprise.agent.engine;

import org.jspecify.annotations.NullMarked;
