/** What takes long: years of failures, thousands of interleavings. */
@NullMarked
package dev.reprise.workflows.endurance;

import org.jspecify.annotations.NullMarked;
