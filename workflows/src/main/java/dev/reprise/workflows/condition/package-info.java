/** The one story a Stack's conditions tell in each phase. */
@NullMarked
package dev.reprise.workflows.condition;

import org.jspecify.annotations.NullMarked;
