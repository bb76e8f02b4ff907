/** The product against real engines, met from outside as its users meet it. */
@NullMarked
package dev.reprise.e2e;

import org.jspecify.annotations.NullMarked;
