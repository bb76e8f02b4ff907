package dev.reprise.e2e.product;

import dev.reprise.e2e.world.ProgramJournal;
import dev.reprise.e2e.world.StackHandle;

/** The product, however it was started, with Stacks whose programs are shell scripts. */
public interface Product extends AutoCloseable {

  /**
   * A Stack and what its program wrote about its runs.
   *
   * @param stack the Stack
   * @param journal of this Stack alone
   */
  record Applied(StackHandle stack, ProgramJournal journal) {}

  /**
   * Applies a Stack whose program is a shell script, run for an update and for a destroy; it is
   * destroyed when the Stack is deleted. Applied again, its program or specification changes.
   *
   * @param name of the Stack
   * @param body of the script, without the journal; its exit code is the operation's result
   * @param firstCooldownSeconds how long it waits after the first failure
   */
  Applied apply(String name, String body, int firstCooldownSeconds);

  @Override
  void close();
}
