/** TODO. */
@NullMarked
package dev.reprise.activities;

import org.jspecify.annotations.NullMarked;
