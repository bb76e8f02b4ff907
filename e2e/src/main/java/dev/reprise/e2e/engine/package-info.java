/** The real engines as processes: started, killed, frozen, started again on their data. */
@NullMarked
package dev.reprise.e2e.engine;

import org.jspecify.annotations.NullMarked;
