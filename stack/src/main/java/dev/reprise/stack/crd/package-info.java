/**
 * The CustomResourceDefinitions of Stack and Program: the compatible fields of {@code pulumi.com}
 * and Reprise's additions.
 */
@NullMarked
package dev.reprise.stack.crd;

import org.jspecify.annotations.NullMarked;
