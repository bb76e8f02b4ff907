/**
 * Workspaces in a cluster: a StatefulSet of one pod and a headless Service per Stack, under the
 * names the Pulumi Kubernetes Operator gives them.
 */
@NullMarked
package dev.reprise.activities.workspace.pod;

import org.jspecify.annotations.NullMarked;
