package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.ConfigRef;
import dev.reprise.stack.spec.ResourceRef;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.StackRef;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Workspace that the Pulumi Kubernetes Operator would make of a Stack, as far as it says what
 * the pod is like: never stored, but templates are written against it.
 *
 * @param metadata labels and annotations
 * @param spec all but its templates
 * @param mounts what configuration and secrets add to the pod, itself a pod template
 * @param podTemplate the user's
 * @param serviceTemplate the user's
 */
record StackWorkspace(
    ObjectNode metadata,
    ObjectNode spec,
    ObjectNode mounts,
    JsonNode podTemplate,
    JsonNode serviceTemplate) {
  static final String TEMPLATE = "spec.workspaceTemplate";
  static final String POD_TEMPLATE = TEMPLATE + ".spec.podTemplate";
  static final String SERVICE_TEMPLATE = TEMPLATE + ".spec.serviceTemplate";

  private static final String CONFIG_MAPS = "/var/run/configmaps/stacks.pulumi.com/configmaps/";
  private static final String SECRETS = "/var/run/secrets/stacks.pulumi.com/secrets/";

  /** Merged elsewhere, or decided elsewhere: a template cannot bring a second source. */
  private static final List<String> NOT_MERGED =
      List.of("podTemplate", "serviceTemplate", "git", "flux", "local", "projectInfo");

  /**
   * Of a Stack.
   *
   * @param optionalRefs whether what is referred to may be missing, as for a destroy
   */
  static StackWorkspace of(StackRef stack, StackSpec spec, boolean optionalRefs)
      throws SpecInvalid {
    ObjectNode workspace = JsonNodeFactory.instance.objectNode();
    workspace
        .putObject("metadata")
        .putObject("labels")
        .put("pulumi.com/component", "stack")
        .put("pulumi.com/stack-name", stack.name());
    ObjectNode fields = workspace.putObject("spec");
    fields
        .put("serviceAccountName", orDefault(spec.serviceAccountName()))
        .put("securityProfile", "restricted");
    fields.putObject("resources").putObject("requests").put("memory", "64Mi").put("cpu", "100m");
    environment(spec, new Env(fields.putArray("env"), optionalRefs));
    wholeObjects(spec, fields.putArray("envFrom"), optionalRefs);
    return templated(workspace, fields, mounts(spec, optionalRefs), spec.workspaceTemplate());
  }

  private static StackWorkspace templated(
      ObjectNode workspace, ObjectNode fields, ObjectNode mounts, JsonNode template)
      throws SpecInvalid {
    JsonNode given = template.path("spec");
    if (!given.path("stacks").isEmpty()) {
      throw new SpecInvalid(
          TEMPLATE + ".spec.stacks",
          "is not read",
          "give spec.stack, spec.config, spec.secretsRef and spec.environment instead");
    }
    if (template.deepCopy() instanceof ObjectNode patch) {
      patch.retain("metadata", "spec", "$patch");
      if (patch.path("spec") instanceof ObjectNode patchedSpec) {
        patchedSpec.remove(NOT_MERGED);
      }
      StrategicMerge.merge(workspace, patch, TEMPLATE);
    }
    return new StackWorkspace(
        workspace.withObjectProperty("metadata"),
        workspace.path("spec") instanceof ObjectNode merged ? merged : fields,
        mounts,
        given.path("podTemplate"),
        given.path("serviceTemplate"));
  }

  private static String orDefault(String serviceAccount) {
    return serviceAccount.isEmpty() ? "default" : serviceAccount;
  }

  private static void environment(StackSpec spec, Env env) {
    for (Map.Entry<String, ResourceRef> ref : new TreeMap<>(spec.envRefs()).entrySet()) {
      switch (ref.getValue()) {
        case ResourceRef.Literal literal -> env.value(ref.getKey(), literal.value());
        case ResourceRef.SecretKey key -> env.secret(ref.getKey(), key.name(), key.key());
        // The reader refuses them, but for a deletion, which does without.
        case ResourceRef.None none -> {}
        case ResourceRef.Unusable unusable -> {}
      }
    }
    if (!spec.backend().isEmpty()) {
      env.value("PULUMI_BACKEND_URL", spec.backend());
    }
    if (!spec.accessTokenSecret().isEmpty()) {
      env.secret("PULUMI_ACCESS_TOKEN", spec.accessTokenSecret(), "accessToken");
    }
  }

  private static void wholeObjects(StackSpec spec, ArrayNode envFrom, boolean optional) {
    spec.envs().forEach(name -> wholeObject(envFrom, "configMapRef", name, optional));
    spec.envSecrets().forEach(name -> wholeObject(envFrom, "secretRef", name, optional));
  }

  private static void wholeObject(ArrayNode envFrom, String kind, String name, boolean optional) {
    ObjectNode ref = envFrom.addObject().putObject(kind).put("name", name);
    if (optional) {
      ref.put("optional", true);
    }
  }

  private static ObjectNode mounts(StackSpec spec, boolean optional) {
    ObjectNode template = JsonNodeFactory.instance.objectNode();
    ObjectNode pod = template.putObject("spec");
    ArrayNode volumes = pod.putArray("volumes");
    ObjectNode main = pod.putArray("containers").addObject().put("name", Names.CONTAINER);
    ArrayNode mounts = main.putArray("volumeMounts");
    SortedSet<String> configMaps = new TreeSet<>();
    for (ConfigRef ref : spec.configRef().values()) {
      configMaps.add(ref.name());
    }
    SortedSet<String> secrets = new TreeSet<>();
    for (ResourceRef ref : spec.secretsRef().values()) {
      if (ref instanceof ResourceRef.SecretKey key) {
        secrets.add(key.name());
      }
    }
    for (String name : configMaps) {
      ObjectNode source = volume(volumes, mounts, "configmap-", name, CONFIG_MAPS);
      optional(source.putObject("configMap").put("name", name), optional);
    }
    for (String name : secrets) {
      ObjectNode source = volume(volumes, mounts, "secret-", name, SECRETS);
      optional(source.putObject("secret").put("secretName", name), optional);
    }
    return template;
  }

  private static ObjectNode volume(
      ArrayNode volumes, ArrayNode mounts, String prefix, String name, String folder) {
    String volume = VolumeNames.of(prefix, name);
    mounts.addObject().put("name", volume).put("mountPath", folder + name);
    return volumes.addObject().put("name", volume);
  }

  private static void optional(ObjectNode source, boolean optional) {
    if (optional) {
      source.put("optional", true);
    }
  }
}
