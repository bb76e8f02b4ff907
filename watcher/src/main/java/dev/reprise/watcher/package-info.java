/**
 * Whether something is wanted. Informer events, an independent list and the revisions of sources
 * pass a gate; a Stack that wants something gets one signal-with-start of its workflow, and one
 * that wants nothing costs no call. What is true is for the workflow to observe: a lost or a
 * superfluous signal does no harm, so nothing here is durable and two watchers may run at once.
 */
@NullMarked
package dev.reprise.watcher;

import org.jspecify.annotations.NullMarked;
