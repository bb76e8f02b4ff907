/** Whom an agent trusts when it calls others over TLS. */
@NullMarked
package dev.reprise.agent.tls;

import org.jspecify.annotations.NullMarked;
