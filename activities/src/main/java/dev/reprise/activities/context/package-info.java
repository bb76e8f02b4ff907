/** What is known around every call of an activity. */
@NullMarked
package dev.reprise.activities.context;

import org.jspecify.annotations.NullMarked;
