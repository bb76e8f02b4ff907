package dev.reprise.stack;

import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.stack.status.StackStatus;

/** One Stack, read and checked. */
public record Stack(StackIdentity identity, StackSpec spec, Policy policy, StackStatus status) {}
