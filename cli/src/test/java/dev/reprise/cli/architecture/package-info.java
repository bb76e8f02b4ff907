/** Who may know whom, read from the bytecode and the sources of all modules. */
@NullMarked
package dev.reprise.cli.architecture;

import org.jspecify.annotations.NullMarked;
