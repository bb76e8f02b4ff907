/** Manifests in a temporary folder, brought into the embedded Kubernetes API. */
@NullMarked
package dev.reprise.dev.manifest;

import org.jspecify.annotations.NullMarked;
