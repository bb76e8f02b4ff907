/** Classes that break the rules on purpose. */
@NullMarked
package dev.reprise.workflows.determinism.planted;

import org.jspecify.annotations.NullMarked;
