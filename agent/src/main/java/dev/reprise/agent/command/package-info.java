/**
 * The agent's command line: a program of its own in a workspace's pod, and {@code reprise agent}.
 */
@NullMarked
package dev.reprise.agent.command;

import org.jspecify.annotations.NullMarked;
