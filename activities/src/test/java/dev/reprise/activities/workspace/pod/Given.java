package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.workspace.pod.WorkspaceObjects.Ingredients;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A Stack web in namespace apps, written as users write its spec, and the objects made for it. */
record Given(StackSpec spec, Program program, String revision, AgentImage image, boolean destroy) {
  static final StackRef STACK = new StackRef("apps", "web", "u-1");
  static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
  static final AgentImage PKO =
      AgentImage.of("pulumi/pulumi-kubernetes-operator:v2.9.0", AgentImage.Kind.PKO);
  static final AgentImage OWN = AgentImage.of("reprise-agent:1.0", AgentImage.Kind.OWN);

  static final String GIT =
      """
      stack: dev
      projectRepo: https://git.example.com/shop.git
      branch: main
      """;

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  /** From git, with anything else below it. */
  static Given git(String more) throws SpecInvalid {
    return of(GIT + more);
  }

  static Given of(String yaml) throws SpecInvalid {
    StackSpec spec = SpecReader.read(yaml(yaml), STACK.namespace());
    Source source = Source.of(spec);
    Program program =
        switch (source) {
          case Source.Git git ->
              new Program.Git(
                  git.url(), COMMIT, git.dir(), git.shallow(), git.auth(), git.authSecret());
          case Source.Flux flux ->
              new Program.Archive("http://source/a.tar.gz", "sha256:ab12", flux.dir());
          case Source.Archive archive ->
              new Program.Archive(archive.url(), archive.digest(), archive.dir());
          case Source.Program ref -> new Program.Text("{\"name\": \"p\", \"runtime\": \"yaml\"}");
          case Source.Local local -> new Program.Local(local.dir());
          case Source.None none -> new Program.Own();
        };
    return new Given(spec, program, COMMIT, PKO, false);
  }

  /** Also what begins with a brace is read as YAML. */
  static JsonNode yaml(String yaml) {
    return YAML.unmarshal("---\n" + yaml, JsonNode.class);
  }

  static String yaml(JsonNode object) {
    return YAML.asYaml(object);
  }

  Given with(Program other) {
    return new Given(spec, other, revision, image, destroy);
  }

  Given with(AgentImage other) {
    return new Given(spec, program, revision, other, destroy);
  }

  Given atRevision(String other) {
    return new Given(spec, program, other, image, destroy);
  }

  /** For the destroy of the Stack, whatever was deleted with it. */
  Given destroying() {
    return new Given(spec, new Program.Bare("shop", "nodejs"), "", image, true);
  }

  WorkspaceObjects objects() throws SpecInvalid {
    return objects("");
  }

  WorkspaceObjects objects(String secretVariables) throws SpecInvalid {
    return WorkspaceObjects.of(
        new Ingredients(STACK, spec, program, revision, destroy, secretVariables, ""),
        PodSettings.of(image));
  }

  ObjectNode statefulSet() throws SpecInvalid {
    return objects().statefulSet();
  }

  ObjectNode service() throws SpecInvalid {
    return objects().service();
  }

  JsonNode template() throws SpecInvalid {
    return statefulSet().path("spec").path("template");
  }

  JsonNode pod() throws SpecInvalid {
    return template().path("spec");
  }

  JsonNode main() throws SpecInvalid {
    return container(pod(), Names.CONTAINER);
  }

  JsonNode fetch() throws SpecInvalid {
    return container(pod(), InitContainers.FETCH);
  }

  static JsonNode container(JsonNode pod, String name) {
    return Stream.concat(
            pod.path("initContainers").valueStream(), pod.path("containers").valueStream())
        .filter(container -> container.path("name").asString("").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no container " + name));
  }

  /** A container's variable as text: its value, or "secret/key" or a field's path. */
  static String variable(JsonNode container, String name) {
    JsonNode variable =
        container
            .path("env")
            .valueStream()
            .filter(v -> v.path("name").asString("").equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no variable " + name));
    JsonNode secret = variable.path("valueFrom").path("secretKeyRef");
    return secret.isObject()
        ? secret.path("name").asString()
            + "/"
            + secret.path("key").asString()
            + (secret.path("optional").asBoolean(false) ? "?" : "")
        : variable.path("value").asString("");
  }

  static List<String> names(JsonNode list) {
    return list.valueStream().map(item -> item.path("name").asString("")).toList();
  }

  static List<String> texts(JsonNode list) {
    return list.valueStream().map(item -> item.asString("")).toList();
  }
}
