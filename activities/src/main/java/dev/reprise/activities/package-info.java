/**
 * How it is done: the side effects that workflow code asks for, behind the activity contracts, and
 * nothing of when or whether.
 */
@NullMarked
package dev.reprise.activities;

import org.jspecify.annotations.NullMarked;
