/**
 * The workspace agent's two gRPC services and the server around them. {@link
 * dev.reprise.agent.AgentServer} is the way in; the services translate between the wire and {@code
 * operation} (one durable operation at a time) and {@code engine} (what really runs).
 */
@NullMarked
package dev.reprise.agent;

import org.jspecify.annotations.NullMarked;
