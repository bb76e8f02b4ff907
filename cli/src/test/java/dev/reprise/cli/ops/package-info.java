@NullMarked
package dev.reprise.cli.ops;

import org.jspecify.annotations.NullMarked;
