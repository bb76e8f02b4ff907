/**
 * Embedded engines for {@code reprise dev} and for tests: a Kubernetes API server, a Temporal
 * service and a folder of manifests that is followed. Nothing here is part of the image.
 */
@NullMarked
package dev.reprise.dev;

import org.jspecify.annotations.NullMarked;
