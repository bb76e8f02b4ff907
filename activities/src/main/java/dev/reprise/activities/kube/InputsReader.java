package dev.reprise.activities.kube;

import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.spec.ConfigRef;
import dev.reprise.stack.spec.GitAuth;
import dev.reprise.stack.spec.ResourceRef;
import dev.reprise.stack.spec.StackSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** Follows a Stack's references to Secrets and ConfigMaps of its own namespace. */
public final class InputsReader {
  private static final Logger LOG = LoggerFactory.getLogger(InputsReader.class);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BACKEND_VARIABLE = "PULUMI_BACKEND_URL";
  private static final String ACCESS_TOKEN_KEY = "accessToken";

  private final KubernetesClient client;

  /** Reads with this client. */
  public InputsReader(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Reads every referenced object once.
   *
   * @throws InputMissing for the first object or key that is not there
   * @throws io.fabric8.kubernetes.client.KubernetesClientException for a failure that passes
   */
  public StackInputs read(StackSpec spec, String namespace) throws InputMissing {
    return new Reading(new ObjectData(client, namespace), Missing.FAIL).all(spec);
  }

  /**
   * Reads what is there of the referenced objects, for a destroy: what was deleted together with
   * the Stack is left out.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException for a failure that passes
   */
  public StackInputs readPresent(StackSpec spec, String namespace) {
    Missing leaveOut =
        missing -> LOG.info("left out for a deletion in {}: {}", namespace, missing.getMessage());
    try {
      return new Reading(new ObjectData(client, namespace), leaveOut).all(spec);
    } catch (InputMissing e) {
      throw new IllegalStateException("what is missing is left out", e);
    }
  }

  /** What to do about a reference that leads nowhere. */
  @FunctionalInterface
  private interface Missing {
    Missing FAIL =
        missing -> {
          throw missing;
        };

    void met(InputMissing missing) throws InputMissing;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws InputMissing;
  }

  /**
   * What opens a Stack's git repository.
   *
   * @param auth the structured form
   * @param secret the name of a Secret in the older form, whose keys are tried in turn; "" = none
   * @throws InputMissing for the first object or key that is not there
   */
  public GitCredentials gitCredentials(GitAuth auth, String secret, String namespace)
      throws InputMissing {
    Reading reading = new Reading(new ObjectData(client, namespace), Missing.FAIL);
    String path = "spec.gitAuth.";
    if (!auth.sshAuth().sshPrivateKey().equals(ResourceRef.NONE)) {
      return new GitCredentials.Ssh(
          reading.resolve(auth.sshAuth().sshPrivateKey(), path + "sshAuth.sshPrivateKey"),
          auth.sshAuth().password().equals(ResourceRef.NONE)
              ? ""
              : reading.resolve(auth.sshAuth().password(), path + "sshAuth.password"));
    }
    if (!auth.accessToken().equals(ResourceRef.NONE)) {
      return new GitCredentials.Token(reading.resolve(auth.accessToken(), path + "accessToken"));
    }
    if (!auth.githubApp().privateKey().equals(ResourceRef.NONE)) {
      return new GitCredentials.GitHubApp(
          reading.resolve(auth.githubApp().appID(), path + "githubApp.appID"),
          reading.resolve(auth.githubApp().installationID(), path + "githubApp.installationID"),
          reading.resolve(auth.githubApp().privateKey(), path + "githubApp.privateKey"));
    }
    if (!auth.basicAuth().userName().equals(ResourceRef.NONE)) {
      return new GitCredentials.Basic(
          reading.resolve(auth.basicAuth().userName(), path + "basicAuth.userName"),
          reading.resolve(auth.basicAuth().password(), path + "basicAuth.password"));
    }
    if (secret.isEmpty()) {
      return new GitCredentials.None();
    }
    Map<String, String> values = reading.objects.secret(secret, "spec.gitAuthSecret");
    if (values.containsKey("sshPrivateKey")) {
      return new GitCredentials.Ssh(
          values.getOrDefault("sshPrivateKey", ""), values.getOrDefault("password", ""));
    }
    if (values.containsKey(ACCESS_TOKEN_KEY)) {
      return new GitCredentials.Token(values.getOrDefault(ACCESS_TOKEN_KEY, ""));
    }
    return values.containsKey("username")
        ? new GitCredentials.Basic(
            values.getOrDefault("username", ""), values.getOrDefault("password", ""))
        : new GitCredentials.None();
  }

  private static final class Reading {
    private final ObjectData objects;
    private final Missing missing;
    private final List<ConfigValue> config = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private final Set<String> secretVariables = new TreeSet<>();
    private final Set<String> secrets = new LinkedHashSet<>();

    Reading(ObjectData objects, Missing missing) {
      this.objects = objects;
      this.missing = missing;
    }

    StackInputs all(StackSpec spec) throws InputMissing {
      config(spec);
      environment(spec);
      return new StackInputs(
          List.copyOf(config),
          environment,
          Set.copyOf(secretVariables),
          objects.used(),
          Set.copyOf(secrets));
    }

    private void config(StackSpec spec) throws InputMissing {
      for (String key : sorted(spec.config().propertyNames())) {
        config.add(new ConfigValue(key, spec.config().get(key), false));
      }
      for (Map.Entry<String, ConfigRef> e : new TreeMap<>(spec.configRef()).entrySet()) {
        step(() -> configRef(e.getKey(), e.getValue()));
      }
      for (Map.Entry<String, String> e : new TreeMap<>(spec.secrets()).entrySet()) {
        secretConfig(e.getKey(), e.getValue());
      }
      for (Map.Entry<String, ResourceRef> e : new TreeMap<>(spec.secretsRef()).entrySet()) {
        String path = "spec.secretsRef[" + e.getKey() + "]";
        step(() -> secretConfig(e.getKey(), resolve(e.getValue(), path)));
      }
    }

    /** The same order of precedence as in a pod: single variables win over whole objects. */
    private void environment(StackSpec spec) throws InputMissing {
      for (String name : spec.envs()) {
        step(() -> environment.putAll(objects.configMap(name, "spec.envs")));
      }
      for (String name : spec.envSecrets()) {
        step(() -> secretVariables(objects.secret(name, "spec.envSecrets")));
      }
      for (Map.Entry<String, ResourceRef> e : new TreeMap<>(spec.envRefs()).entrySet()) {
        String path = "spec.envRefs[" + e.getKey() + "]";
        step(() -> secretVariables(Map.of(e.getKey(), resolve(e.getValue(), path))));
      }
      if (!spec.backend().isEmpty()) {
        environment.put(BACKEND_VARIABLE, spec.backend());
        Set<String> passwords = BackendPassword.of(spec.backend());
        secrets.addAll(passwords);
        if (!passwords.isEmpty()) {
          secretVariables.add(BACKEND_VARIABLE);
        }
      }
      if (!spec.accessTokenSecret().isEmpty()) {
        step(() -> secretVariables(Map.of("PULUMI_ACCESS_TOKEN", accessToken(spec))));
      }
    }

    private void step(Step step) throws InputMissing {
      try {
        step.run();
      } catch (InputMissing e) {
        missing.met(e);
      }
    }

    private void configRef(String key, ConfigRef ref) throws InputMissing {
      String path = "spec.configRef[" + key + "]";
      String text = objects.configMapKey(ref.name(), ref.key(), path);
      JsonNode value = ref.json() ? parse(text, path) : StringNode.valueOf(text);
      config.add(new ConfigValue(key, value, false));
    }

    private void secretVariables(Map<String, String> values) {
      secrets.addAll(values.values());
      secretVariables.addAll(values.keySet());
      environment.putAll(values);
    }

    private String accessToken(StackSpec spec) throws InputMissing {
      return objects.secretKey(
          spec.accessTokenSecret(), ACCESS_TOKEN_KEY, "spec.accessTokenSecret");
    }

    private void secretConfig(String key, String value) {
      secrets.add(value);
      config.add(new ConfigValue(key, StringNode.valueOf(value), true));
    }

    private String resolve(ResourceRef ref, String path) throws InputMissing {
      return switch (ref) {
        case ResourceRef.Literal literal -> literal.value();
        case ResourceRef.SecretKey secret -> objects.secretKey(secret.name(), secret.key(), path);
        case ResourceRef.None none -> throw new InputMissing(path + " is empty: give a reference");
        case ResourceRef.Unusable bad ->
            throw new InputMissing(
                "%s.%s %s: %s".formatted(path, bad.field(), bad.problem(), bad.fix()));
      };
    }

    private static JsonNode parse(String text, String path) throws InputMissing {
      try {
        return JSON.readTree(text);
      } catch (JacksonException e) {
        throw new InputMissing(
            path + ": the value in the ConfigMap is no JSON: correct it, or leave out json: true");
      }
    }

    private static Iterable<String> sorted(Iterable<String> names) {
      List<String> sorted = new ArrayList<>();
      names.forEach(sorted::add);
      sorted.sort(null);
      return sorted;
    }
  }
}
