/**
 * A folder of Kubernetes manifests that is kept applied: edits are followed as they are saved, what
 * is removed from the folder, even between two sessions, is deleted from the cluster, and a mistake
 * in one document is one line for the person and nothing for the other documents.
 */
@NullMarked
package dev.reprise.dev.manifest;

import org.jspecify.annotations.NullMarked;
