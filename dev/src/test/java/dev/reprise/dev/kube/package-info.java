/** The embedded Kubernetes API seen through fabric8's client and through plain HTTP. */
@NullMarked
package dev.reprise.dev.kube;

import org.jspecify.annotations.NullMarked;
