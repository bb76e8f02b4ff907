/**
 * One operation at a time, belonging to an id rather than to a connection: the journal that
 * survives the agent, the result that waits to be fetched, the listeners that come and go.
 */
@NullMarked
package dev.reprise.agent.operation;

import org.jspecify.annotations.NullMarked;
