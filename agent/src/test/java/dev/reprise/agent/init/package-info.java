/** Tests. */
@NullMarked
package dev.reprise.agent.init;

import org.jspecify.annotations.NullMarked;
