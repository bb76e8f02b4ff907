@NullMarked
package dev.reprise.cli.architecture.planted.workflows;

import org.jspecify.annotations.NullMarked;
