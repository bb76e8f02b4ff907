@NullMarked
package dev.reprise.cli;

import org.jspecify.annotations.NullMarked;
