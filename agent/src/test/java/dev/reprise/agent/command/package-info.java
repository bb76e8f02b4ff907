/** Tests. */
@NullMarked
package dev.reprise.agent.command;

import org.jspecify.annotations.NullMarked;
