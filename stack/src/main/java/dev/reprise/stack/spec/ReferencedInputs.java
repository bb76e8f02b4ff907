package dev.reprise.stack.spec;

import java.util.Set;
import java.util.TreeSet;

/**
 * The objects of a Stack's namespace that its spec takes configuration, environment or credentials
 * from. What a {@code workspaceTemplate} mounts by itself is not among them.
 *
 * @param secrets names of Secrets
 * @param configMaps names of ConfigMaps
 */
public record ReferencedInputs(Set<String> secrets, Set<String> configMaps) {
  public ReferencedInputs {
    secrets = Set.copyOf(secrets);
    configMaps = Set.copyOf(configMaps);
  }

  /** Those of a spec. */
  public static ReferencedInputs of(StackSpec spec) {
    Set<String> secrets = new TreeSet<>(spec.envSecrets());
    spec.secretsRef().values().forEach(ref -> add(secrets, ref));
    spec.envRefs().values().forEach(ref -> add(secrets, ref));
    secrets.add(spec.accessTokenSecret());
    secrets.add(spec.gitAuthSecret());
    addAll(secrets, spec.gitAuth());
    secrets.remove("");
    Set<String> configMaps = new TreeSet<>(spec.envs());
    spec.configRef().values().forEach(ref -> configMaps.add(ref.name()));
    configMaps.remove("");
    return new ReferencedInputs(secrets, configMaps);
  }

  private static void addAll(Set<String> secrets, GitAuth auth) {
    add(secrets, auth.accessToken());
    add(secrets, auth.sshAuth().sshPrivateKey());
    add(secrets, auth.sshAuth().password());
    add(secrets, auth.githubApp().appID());
    add(secrets, auth.githubApp().installationID());
    add(secrets, auth.githubApp().privateKey());
    add(secrets, auth.basicAuth().userName());
    add(secrets, auth.basicAuth().password());
  }

  private static void add(Set<String> secrets, ResourceRef ref) {
    if (ref instanceof ResourceRef.SecretKey key) {
      secrets.add(key.name());
    }
  }
}
