/**
 * Runs the pods of a control plane on this machine, without a container engine: what a scheduler, a
 * kubelet and a cluster's DNS do, each pod in a network namespace, each container in namespaces for
 * mounts, processes and its host name. Needs root and Debian's iproute2 and util-linux; the agent's
 * image needs tini as well.
 *
 * <p>Kept as a kubelet keeps it: the order of init containers, variables, volumes, projected
 * tokens, users, capabilities, read-only roots, probes, restarts, statuses, grace periods, and, if
 * asked for, memory limits. Left out: volumes stay as they were when the pod started, tokens are
 * not renewed, the address of a Service is not forwarded (its name leads to its pods), seccomp,
 * network policies, lifecycle hooks, events, sidecars among the init containers, and what the API
 * server asks of a kubelet ({@code kubectl logs}, {@code exec}).
 */
@NullMarked
package dev.reprise.e2e.pod;

import org.jspecify.annotations.NullMarked;
