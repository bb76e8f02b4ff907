package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** Where one value comes from. */
public sealed interface ResourceRef {
  /** No reference given. */
  ResourceRef NONE = new None();

  /** Stands for an absent reference. */
  record None() implements ResourceRef {}

  /** A key of a Secret; {@code namespace} is empty for the Stack's own. */
  record SecretKey(String namespace, String name, String key) implements ResourceRef {}

  /** The value itself. */
  record Literal(String value) implements ResourceRef {
    /** Says nothing of the value, which may be a secret. */
    @Override
    public String toString() {
      return "Literal[masked]";
    }
  }

  /** A reference that cannot be followed; the reader refuses it with the path of the field. */
  record Unusable(String field, String problem, String fix) implements ResourceRef {}

  /** Reads the wire form: a {@code type} and the object that belongs to it. */
  @JsonCreator
  static ResourceRef of(
      @JsonProperty("type") @Nullable String type,
      @JsonProperty("secret") @Nullable SecretSelector secret,
      @JsonProperty("literal") @Nullable LiteralSelector literal) {
    return switch (Absent.text(type)) {
      case "Secret" -> secret(secret);
      case "Literal" ->
          literal == null || literal.value() == null
              ? new Unusable("literal.value", "is missing", "give the value")
              : new Literal(literal.value());
      case "Env", "FS" ->
          new Unusable(
              "type",
              "is " + type + ", which would read the operator's own environment or files",
              "use Secret or Literal");
      case "" -> new Unusable("type", "is missing", "use Secret or Literal");
      default -> new Unusable("type", "is not a known type", "use Secret or Literal");
    };
  }

  private static ResourceRef secret(@Nullable SecretSelector secret) {
    if (secret == null || secret.name() == null || secret.name().isEmpty()) {
      return new Unusable("secret.name", "is missing", "name the Secret");
    }
    if (secret.key() == null || secret.key().isEmpty()) {
      return new Unusable("secret.key", "is missing", "name the key in the Secret");
    }
    return new SecretKey(Absent.text(secret.namespace()), secret.name(), secret.key());
  }

  /** Wire form of a reference to a Secret. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record SecretSelector(@Nullable String namespace, @Nullable String name, @Nullable String key) {}

  /** Wire form of a literal value. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record LiteralSelector(@Nullable String value) {}
}
