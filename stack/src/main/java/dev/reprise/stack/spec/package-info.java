/**
 * The records of a Stack's {@code spec} and the reader that turns JSON into them or says which
 * field is wrong, what it holds and how to repair it. Values never appear in such messages: any of
 * them may be a secret.
 */
@NullMarked
package dev.reprise.stack.spec;

import org.jspecify.annotations.NullMarked;
