/** Temporal's Web UI in a real browser, used as a person uses it. */
@NullMarked
package dev.reprise.e2e.browser;

import org.jspecify.annotations.NullMarked;
