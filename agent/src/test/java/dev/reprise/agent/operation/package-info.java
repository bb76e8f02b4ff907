/** Tests of {@code dev.reprise.agent.operation}. */
@NullMarked
package dev.reprise.agent.operation;

import org.jspecify.annotations.NullMarked;
