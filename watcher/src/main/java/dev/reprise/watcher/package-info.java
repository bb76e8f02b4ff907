/** TODO. */
@NullMarked
package dev.reprise.watcher;

import org.jspecify.annotations.NullMarked;
