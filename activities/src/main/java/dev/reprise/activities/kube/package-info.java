/** Reading Stacks and what they refer to from the API server, with its answers classified. */
@NullMarked
package dev.reprise.activities.kube;

import org.jspecify.annotations.NullMarked;
