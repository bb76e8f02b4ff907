/** What operators of Reprise watch it by: metrics, health, logs. */
@NullMarked
package dev.reprise.cli.ops;

import org.jspecify.annotations.NullMarked;
