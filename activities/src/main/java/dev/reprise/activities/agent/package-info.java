/**
 * Calls to a workspace's agent: connections with their limits, and what the statuses it answers
 * with mean for an attempt.
 */
@NullMarked
package dev.reprise.activities.agent;

import org.jspecify.annotations.NullMarked;
