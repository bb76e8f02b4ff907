package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.workspace.AgentLauncher;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.StackRef;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The pod of a workspace: what is generated, and what the user's pod template makes of it. */
final class PodTemplate {
  static final String SHARE = "/share";
  static final String AGENT = SHARE + "/agent";
  static final String WORKSPACE = SHARE + "/workspace";

  /** Where programs leave variables for the agent. */
  private static final String ENV_FILE = SHARE + "/.env";

  private static final String RESTRICTED = "restricted";
  private static final String BASELINE = "baseline";
  private static final int NON_ROOT = 1000;

  /** An operation that is being cancelled may finish what it has begun. */
  private static final int GRACE_SECONDS = 600;

  private final StackRef stack;
  private final StackWorkspace stackWorkspace;
  private final ObjectNode workspace;
  private final PodSettings settings;

  PodTemplate(StackRef stack, StackWorkspace workspace, PodSettings settings) {
    this.stack = stack;
    this.stackWorkspace = workspace;
    this.workspace = workspace.spec();
    this.settings = settings;
  }

  /**
   * The template.
   *
   * @param optionalRefs whether missing credentials keep the pod from starting
   * @param secretVariables names of variables the agent masks; "" = none
   */
  ObjectNode build(Program program, boolean optionalRefs, String secretVariables)
      throws SpecInvalid {
    ObjectNode template = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = template.putObject("spec");
    boolean restricted = restricted();
    ObjectNode security = spec.putObject("securityContext");
    security.putObject("seccompProfile").put("type", "RuntimeDefault");
    spec.put("serviceAccountName", workspace.path("serviceAccountName").asString(""))
        .put("terminationGracePeriodSeconds", GRACE_SECONDS);
    InitContainers.addTo(spec.putArray("initContainers"), program, settings, optionalRefs);
    main(spec.putArray("containers").addObject(), restricted, secretVariables);
    ArrayNode volumes = spec.putArray("volumes");
    volumes.addObject().put("name", "share").putObject("emptyDir");
    if (program instanceof Program.Text) {
      volumes
          .addObject()
          .put("name", InitContainers.PROGRAM_VOLUME)
          .putObject("configMap")
          .put("name", Names.program(stack.name()));
    }
    if (restricted) {
      security.put("runAsNonRoot", true).put("runAsUser", NON_ROOT).put("runAsGroup", NON_ROOT);
      spec.path("initContainers").forEach(PodTemplate::restrict);
      spec.path("containers").forEach(PodTemplate::restrict);
    }
    StrategicMerge.merge(template, stackWorkspace.mounts(), StackWorkspace.TEMPLATE);
    StrategicMerge.merge(template, stackWorkspace.podTemplate(), StackWorkspace.POD_TEMPLATE);
    if (template.path("spec").path("containers").valueStream().noneMatch(PodTemplate::isMain)) {
      throw new SpecInvalid(
          StackWorkspace.POD_TEMPLATE + ".spec.containers",
          "takes the container " + Names.CONTAINER + " away",
          "leave it: the agent runs in it");
    }
    mark(template);
    return template;
  }

  private static boolean isMain(JsonNode container) {
    return container.path("name").asString("").equals(Names.CONTAINER)
        && !container.path("command").isEmpty();
  }

  private boolean restricted() throws SpecInvalid {
    return switch (workspace.path("securityProfile").asString("")) {
      case RESTRICTED -> true;
      case BASELINE -> false;
      default ->
          throw new SpecInvalid(
              StackWorkspace.TEMPLATE + ".spec.securityProfile",
              "is no known profile",
              "use restricted or baseline");
    };
  }

  private void main(ObjectNode main, boolean restricted, String secretVariables) {
    main.put("name", Names.CONTAINER)
        .put("image", workspace.path("image").asString(defaultImage(restricted)));
    copy("imagePullPolicy", main);
    ArrayNode command = main.putArray("command");
    command().forEach(command::add);
    int logLevel = workspace.path("pulumiLogLevel").asInt(0);
    if (logLevel > 0) {
      command.add("--pulumi-log-level").add(Integer.toString(logLevel));
    }
    main.put("workingDir", WORKSPACE);
    main.putArray("ports")
        .addObject()
        .put("name", "grpc")
        .put("containerPort", Names.GRPC_PORT)
        .put("protocol", "TCP");
    ArrayNode env = main.putArray("env");
    workspace.path("env").forEach(variable -> env.add(variable.deepCopy()));
    Env variables = new Env(env, false);
    variables
        .field("POD_NAMESPACE", "metadata.namespace")
        .field("POD_SA_NAME", "spec.serviceAccountName")
        .resource("AGENT_MEMLIMIT", Names.CONTAINER, "requests.memory");
    if (settings.agent().kind() == AgentImage.Kind.OWN && !secretVariables.isEmpty()) {
      variables.value(AgentLauncher.SECRETS_VARIABLE, secretVariables);
    }
    copy("envFrom", main);
    copy("resources", main);
    mountShare(main);
  }

  private static String defaultImage(boolean restricted) {
    return restricted ? "pulumi/pulumi:latest-nonroot" : "pulumi/pulumi:latest";
  }

  private List<String> command() {
    return List.of(
        SHARE + "/tini",
        AGENT,
        "--",
        "serve",
        "--workspace",
        WORKSPACE,
        "--skip-install",
        "--env-file",
        ENV_FILE,
        "--auth-mode",
        "kube",
        "--kube-audience",
        Names.audience(stack),
        "--kube-workspace-namespace",
        stack.namespace(),
        "--kube-workspace-name",
        stack.name());
  }

  private void copy(String field, ObjectNode into) {
    JsonNode value = workspace.path(field);
    if (!value.isMissingNode() && !value.isNull() && !(value.isContainer() && value.isEmpty())) {
      into.set(field, value.deepCopy());
    }
  }

  static void mountShare(ObjectNode container) {
    container.putArray("volumeMounts").addObject().put("name", "share").put("mountPath", SHARE);
  }

  private static void restrict(JsonNode container) {
    if (container instanceof ObjectNode restricted) {
      ObjectNode security = restricted.putObject("securityContext");
      security.put("allowPrivilegeEscalation", false);
      ObjectNode capabilities = security.putObject("capabilities");
      capabilities.putArray("drop").add("ALL");
      capabilities.putArray("add").add("NET_BIND_SERVICE");
    }
  }

  /** What no template may change: by these the pod is found. */
  private void mark(ObjectNode template) {
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : template.path("spec").path(list)) {
        if (container instanceof ObjectNode object) {
          new Env(object.withArrayProperty("env"), false).value("PULUMI_ENV", ENV_FILE);
        }
      }
    }
    ObjectNode metadata = template.withObjectProperty("metadata");
    metadata.remove(List.of("name", "namespace", "generateName", "ownerReferences", "finalizers"));
    ObjectNode labels = metadata.withObjectProperty("labels");
    for (Map.Entry<String, String> label : Names.labels(stack).entrySet()) {
      labels.put(label.getKey(), label.getValue());
    }
  }
}
