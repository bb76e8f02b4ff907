package dev.reprise.activities.operation;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.Redactor;
import dev.reprise.stack.Stack;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Masks the secrets of one attempt's Stack in what a program printed. They are read when the first
 * text is to be shown, so that they do not delay the operation; as long as they cannot be read, no
 * such text is shown.
 */
final class Masking {
  /** Stands for a text that cannot be masked. */
  static final String NOT_SHOWN =
      "(its text is not shown, because the secrets to be masked in it cannot be read)";

  private static final Logger LOG = LoggerFactory.getLogger(Masking.class);

  private final SecretValues secrets;
  private Optional<Stack> stack = Optional.empty();
  private Optional<Redactor> redactor = Optional.empty();

  Masking(SecretValues secrets) {
    this.secrets = secrets;
  }

  /** Masks the secrets this Stack refers to. */
  void use(Stack other) {
    stack = Optional.of(other);
    redactor = Optional.empty();
  }

  /** The text as it may be shown; "" for none. */
  String apply(String text) {
    if (text.isEmpty()) {
      return text;
    }
    if (redactor.isEmpty()) {
      redactor = stack.flatMap(this::read);
    }
    return redactor.map(known -> known.apply(text)).orElse(NOT_SHOWN);
  }

  private Optional<Redactor> read(Stack of) {
    try {
      return Optional.of(new Redactor(secrets.of(of)));
    } catch (InputMissing | KubernetesClientException e) {
      LOG.warn(
          "{}/{}: the secrets to be masked cannot be read: {}",
          of.identity().namespace(),
          of.identity().name(),
          e.getMessage());
      return Optional.empty();
    }
  }
}
