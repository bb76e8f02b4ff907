/**
 * The records of a Stack's {@code status}: the Pulumi Kubernetes Operator's fields, and Reprise's
 * own record of the retries, kept in {@code status.retry} or, where the installed
 * CustomResourceDefinition does not declare that field, in an annotation. Reading forgives
 * everything, as missing state only means to look again; writing leaves absent fields out.
 */
@NullMarked
package dev.reprise.stack.status;

import org.jspecify.annotations.NullMarked;
