/** Looks at a Stack and at everything it refers to, and condenses it into one observation. */
@NullMarked
package dev.reprise.activities.observe;

import org.jspecify.annotations.NullMarked;
