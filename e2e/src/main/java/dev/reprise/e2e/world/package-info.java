/**
 * Everything together: engines, pods, the product as Helm installs it, and the Stacks of its users.
 */
@NullMarked
package dev.reprise.e2e.world;

import org.jspecify.annotations.NullMarked;
