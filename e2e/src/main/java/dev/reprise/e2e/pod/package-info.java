/**
 * Runs the pods of a control plane on this machine, without a container engine: what a scheduler, a
 * kubelet and a cluster's DNS do, each pod in a network namespace, each container in namespaces for
 * mounts and processes. Needs root, iproute2 and util-linux.
 */
@NullMarked
package dev.reprise.e2e.pod;

import org.jspecify.annotations.NullMarked;
