/**
 * Lets only callers pass whom Kubernetes knows and allows to use this workspace. Asks the API
 * server as the pod's own service account, without a Kubernetes client library.
 */
@NullMarked
package dev.reprise.agent.kube;

import org.jspecify.annotations.NullMarked;
