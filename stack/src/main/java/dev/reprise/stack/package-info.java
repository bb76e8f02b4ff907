/**
 * The Stack resource as Reprise sees it: identity, spec, retry policy and status, read from one
 * generic Kubernetes object at a time so that one malformed object never hides the others.
 * Sub-packages hold the records of the spec and of the status, the CustomResourceDefinitions, and
 * what the sources of a Stack point at now.
 */
@NullMarked
package dev.reprise.stack;

import org.jspecify.annotations.NullMarked;
