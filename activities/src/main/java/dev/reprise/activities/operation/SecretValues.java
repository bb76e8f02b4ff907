package dev.reprise.activities.operation;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.stack.Stack;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The secret values a Stack's operation was given. */
@FunctionalInterface
interface SecretValues {
  Collection<String> of(Stack stack);

  /**
   * Reads them; when that fails, masking is left to the agent, because the operation must not wait
   * for it.
   */
  static SecretValues by(InputsReader reader) {
    Logger log = LoggerFactory.getLogger(SecretValues.class);
    return stack -> {
      try {
        return reader.read(stack.spec(), stack.identity().namespace()).secrets();
      } catch (InputMissing | KubernetesClientException e) {
        log.warn(
            "{}/{}: the secrets to be masked cannot be read: {}",
            stack.identity().namespace(),
            stack.identity().name(),
            e.getMessage());
        return List.of();
      }
    };
  }
}
