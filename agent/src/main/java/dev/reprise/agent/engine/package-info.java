/**
 * What runs in a workspace: the Pulumi command line, or plain executables named after the
 * operations. Both turn a request into child processes and their output into events and a result.
 */
@NullMarked
package dev.reprise.agent.engine;

import org.jspecify.annotations.NullMarked;
