package dev.reprise.stack.spec;

import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A ConfigMap or Secret of the Stack's namespace whose contents an operation is given.
 *
 * @param key the one key that is used; empty: all of them
 */
public record Reference(Kind kind, String name, String key) implements Comparable<Reference> {
  /** What is referred to. */
  public enum Kind {
    CONFIG_MAP,
    SECRET
  }

  private static final Comparator<Reference> ORDER =
      Comparator.comparing(Reference::kind)
          .thenComparing(Reference::name)
          .thenComparing(Reference::key);

  /**
   * Everything a spec refers to whose change calls for a new attempt. Credentials of a source are
   * left out: they change what can be reached, not what is run.
   */
  public static SortedSet<Reference> of(StackSpec spec) {
    SortedSet<Reference> references = new TreeSet<>();
    spec.configRef().values().forEach(ref -> references.add(configMap(ref.name(), ref.key())));
    spec.envs().forEach(name -> references.add(configMap(name, "")));
    spec.envSecrets().forEach(name -> references.add(secret(name, "")));
    spec.secretsRef().values().forEach(ref -> add(ref, references));
    spec.envRefs().values().forEach(ref -> add(ref, references));
    if (!spec.accessTokenSecret().isEmpty()) {
      references.add(secret(spec.accessTokenSecret(), "accessToken"));
    }
    return references;
  }

  private static void add(ResourceRef ref, SortedSet<Reference> references) {
    if (ref instanceof ResourceRef.SecretKey secret) {
      references.add(secret(secret.name(), secret.key()));
    }
  }

  private static Reference configMap(String name, String key) {
    return new Reference(Kind.CONFIG_MAP, name, key);
  }

  private static Reference secret(String name, String key) {
    return new Reference(Kind.SECRET, name, key);
  }

  @Override
  public int compareTo(Reference other) {
    return ORDER.compare(this, other);
  }
}
