package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.StackRef;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of one workspace as they are applied.
 *
 * @param service gives the agent its address
 * @param configMaps what the pod mounts of ours: none, or one with the program's text
 * @param statefulSet runs the pod
 * @param revisionHash what the pod is marked with
 */
record WorkspaceObjects(
    ObjectNode service, List<ObjectNode> configMaps, ObjectNode statefulSet, String revisionHash) {

  /**
   * What a workspace is made from.
   *
   * @param program what is to be in it
   * @param revision its revision as the Stack's source calls it
   * @param optionalRefs whether Secrets and ConfigMaps may be missing, as for a destroy
   * @param secretVariables names of variables the agent masks, separated by commas; "" = none
   * @param inputsDigest of configuration and secrets; "" = not kept
   */
  record Ingredients(
      StackRef stack,
      StackSpec spec,
      Program program,
      String revision,
      boolean optionalRefs,
      String secretVariables,
      String inputsDigest) {}

  /**
   * Builds them; nothing is asked or written.
   *
   * @throws SpecInvalid naming the place in a template that cannot be used
   */
  static WorkspaceObjects of(Ingredients from, PodSettings settings) throws SpecInvalid {
    StackRef stack = from.stack();
    StackWorkspace workspace = StackWorkspace.of(stack, from.spec(), from.optionalRefs());
    ObjectNode service = service(stack, workspace);
    ObjectNode pod =
        new PodTemplate(stack, workspace, settings)
            .build(from.program(), from.optionalRefs(), from.secretVariables());
    ObjectNode statefulSet = statefulSet(stack, workspace, pod);
    List<ObjectNode> configMaps = configMaps(stack, from.program());
    String hash = RevisionHash.of(from.spec(), from.revision(), service, statefulSet);
    ObjectNode marks = pod.withObjectProperty("metadata").withObjectProperty("annotations");
    marks.put(Names.REVISION_HASH, hash);
    if (!from.inputsDigest().isEmpty()) {
      marks.put(Names.INPUTS_DIGEST, from.inputsDigest());
    }
    return new WorkspaceObjects(service, configMaps, statefulSet, hash);
  }

  private static ObjectNode statefulSet(StackRef stack, StackWorkspace workspace, ObjectNode pod) {
    ObjectNode object = object("apps/v1", "StatefulSet");
    // It stands for the Workspace: what is written on that is looked for here.
    ObjectNode metadata = workspace.metadata().deepCopy();
    metadata.retain("labels", "annotations");
    object.set("metadata", metadata);
    identify(metadata, stack);
    ObjectNode spec = object.putObject("spec");
    spec.put("replicas", 1)
        .put("podManagementPolicy", "Parallel")
        .put("serviceName", Names.object(stack.name()));
    put(spec.putObject("selector").putObject("matchLabels"), Names.selector(stack));
    spec.set("template", pod);
    return object;
  }

  private static List<ObjectNode> configMaps(StackRef stack, Program program) {
    if (!(program instanceof Program.Text text)) {
      return List.of();
    }
    ObjectNode object = object("v1", "ConfigMap");
    identify(object.putObject("metadata"), stack);
    object.withObjectProperty("metadata").put("name", Names.program(stack.name()));
    object.putObject("data").put("Pulumi.yaml", text.project());
    return List.of(object);
  }

  private static ObjectNode service(StackRef stack, StackWorkspace workspace) throws SpecInvalid {
    ObjectNode object = object("v1", "Service");
    object.putObject("metadata");
    ObjectNode spec = object.putObject("spec");
    spec.putArray("ports")
        .addObject()
        .put("name", "grpc")
        .put("port", Names.GRPC_PORT)
        .put("protocol", "TCP");
    JsonNode template = workspace.serviceTemplate();
    if (template.deepCopy() instanceof ObjectNode patch) {
      patch.retain("metadata", "spec");
      StrategicMerge.merge(object, patch, StackWorkspace.SERVICE_TEMPLATE);
    } else {
      StrategicMerge.merge(object, template, StackWorkspace.SERVICE_TEMPLATE);
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.retain("labels", "annotations");
    identify(metadata, stack);
    ObjectNode merged = object.withObjectProperty("spec");
    merged.put("clusterIP", "None");
    ObjectNode selector = JsonNodeFactory.instance.objectNode();
    put(selector, Names.selector(stack));
    merged.set("selector", selector);
    return object;
  }

  private static ObjectNode object(String apiVersion, String kind) {
    return JsonNodeFactory.instance.objectNode().put("apiVersion", apiVersion).put("kind", kind);
  }

  private static void identify(ObjectNode metadata, StackRef stack) {
    metadata.put("name", Names.object(stack.name())).put("namespace", stack.namespace());
    put(metadata.withObjectProperty("labels"), Names.labels(stack));
  }

  private static void put(ObjectNode object, Map<String, String> texts) {
    List.copyOf(texts.entrySet()).forEach(text -> object.put(text.getKey(), text.getValue()));
  }
}
