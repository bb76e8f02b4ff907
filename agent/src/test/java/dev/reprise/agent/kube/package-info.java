/** Tests. */
@NullMarked
package dev.reprise.agent.kube;

import org.jspecify.annotations.NullMarked;
