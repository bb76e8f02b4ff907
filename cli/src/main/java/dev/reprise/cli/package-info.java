/**
 * The one program: puts the modules together for each of its commands, and holds no logic of its
 * own beyond what people see.
 */
@NullMarked
package dev.reprise.cli;

import org.jspecify.annotations.NullMarked;
