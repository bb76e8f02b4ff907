@NullMarked
package dev.reprise.cli.architecture.planted.activities;

import org.jspecify.annotations.NullMarked;
