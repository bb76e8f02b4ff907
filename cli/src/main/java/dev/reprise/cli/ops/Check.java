package dev.reprise.cli.ops;

/** One thing that has to be so for a process to be healthy. */
@FunctionalInterface
public interface Check {
  /** What is wrong, in one line for people; "" = nothing. */
  String problem();
}
