/** The product as a whole, started in one way or another, with Stacks on it. */
@NullMarked
package dev.reprise.e2e.product;

import org.jspecify.annotations.NullMarked;
