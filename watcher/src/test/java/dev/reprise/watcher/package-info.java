/** Tests of the watcher, with fakes written by hand. */
@NullMarked
package dev.reprise.watcher;

import org.jspecify.annotations.NullMarked;
