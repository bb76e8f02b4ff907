/** Tests. */
@NullMarked
package dev.reprise.agent.tls;

import org.jspecify.annotations.NullMarked;
