/**
 * An in-memory Kubernetes API server on loopback. It keeps the promises of the real one that an
 * operator leans on: optimistic locking, the status subresource, finalizers, watches that resume,
 * server-side apply with field ownership, structural schemas, and owner references. There is no
 * kubelet and no controller behind it. A log of changes can keep the objects between two starts.
 * All state is touched by one event loop only.
 */
@NullMarked
package dev.reprise.dev.kube;

import org.jspecify.annotations.NullMarked;
