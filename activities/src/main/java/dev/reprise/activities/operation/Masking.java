package dev.reprise.activities.operation;

import dev.reprise.stack.Stack;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The redactor of one attempt, made when the first text is to be shown: reading the secrets must
 * not delay the operation.
 */
final class Masking implements Supplier<Redactor> {
  private static final Logger LOG = LoggerFactory.getLogger(Masking.class);

  private final SecretValues secrets;
  private Supplier<Redactor> maker = () -> Redactor.NONE;

  Masking(SecretValues secrets) {
    this.secrets = secrets;
  }

  void use(Stack stack) {
    Supplier<Redactor> reading =
        () -> {
          Redactor redactor = new Redactor(secrets.of(stack));
          maker = () -> redactor;
          return redactor;
        };
    maker = reading;
  }

  void none(String why) {
    LOG.warn("texts are not masked beyond what the agent does: {}", why);
  }

  @Override
  public Redactor get() {
    return maker.get();
  }
}
