package dev.reprise.activities.operation;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.stack.Stack;
import java.util.Collection;

/** The secret values a Stack's operation was given. */
@FunctionalInterface
interface SecretValues {
  /**
   * Reads all of them.
   *
   * @throws InputMissing when one is not there
   * @throws io.fabric8.kubernetes.client.KubernetesClientException for a failure that passes
   */
  Collection<String> of(Stack stack) throws InputMissing;

  /** Reads them from the cluster. */
  static SecretValues by(InputsReader reader) {
    return stack -> reader.read(stack.spec(), stack.identity().namespace()).secrets();
  }
}
