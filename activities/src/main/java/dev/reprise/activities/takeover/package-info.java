/** What the Pulumi Kubernetes Operator left of a Stack becomes Reprise's. */
@NullMarked
package dev.reprise.activities.takeover;

import org.jspecify.annotations.NullMarked;
