package dev.reprise.stack.spec;

import dev.reprise.stack.spec.ResourceRef.Literal;
import dev.reprise.stack.spec.ResourceRef.SecretKey;
import dev.reprise.stack.spec.ResourceRef.Unusable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The rules of a spec that types alone do not express. */
final class SpecRules {
  private SpecRules() {}

  static void check(StackSpec spec, String namespace) throws SpecInvalid {
    required(
        "spec.stack", spec.stack(), "name the Pulumi stack, as in dev or organization/project/dev");
    objects(spec);
    sources(spec);
    references(spec, namespace);
    gitAuth(spec.gitAuth(), namespace);
    prerequisites(spec.prerequisites());
  }

  private static void objects(StackSpec spec) throws SpecInvalid {
    object("spec.config", spec.config());
    object("spec.workspaceTemplate", spec.workspaceTemplate());
    object("spec.updateTemplate", spec.updateTemplate());
    TemplateRules.shapes(spec);
  }

  private static void object(String path, JsonNode node) throws SpecInvalid {
    if (!node.isObject() && !node.isMissingNode() && !node.isNull()) {
      throw new SpecInvalid(path, "is " + SpecReader.kind(node), "give an object");
    }
  }

  private static void sources(StackSpec spec) throws SpecInvalid {
    List<String> given = new ArrayList<>();
    if (!spec.projectRepo().isEmpty()) {
      given.add("spec.projectRepo");
    }
    if (!spec.fluxSource().equals(FluxSource.NONE)) {
      given.add("spec.fluxSource");
      flux(spec.fluxSource());
    }
    if (!spec.programRef().equals(ProgramRef.NONE)) {
      given.add("spec.programRef");
      required("spec.programRef.name", spec.programRef().name(), "name the Program");
    }
    for (String kind : List.of("local", "git", "flux")) {
      if (spec.workspaceTemplate().path("spec").hasNonNull(kind)) {
        given.add("spec.workspaceTemplate.spec." + kind);
      }
    }
    if (given.size() > 1) {
      throw new SpecInvalid(
          given.get(1), "is a second source beside " + given.get(0), "keep only one of them");
    }
    git(spec);
    TemplateRules.sources(spec);
  }

  private static void git(StackSpec spec) throws SpecInvalid {
    boolean branch = !spec.branch().isEmpty();
    boolean commit = !spec.commit().isEmpty();
    if (spec.projectRepo().isEmpty()) {
      return;
    }
    if (branch && commit) {
      throw new SpecInvalid("spec.commit", "is given beside spec.branch", "keep only one of them");
    }
    if (!branch && !commit) {
      throw new SpecInvalid(
          "spec.branch", "is missing", "with spec.projectRepo give spec.branch or spec.commit");
    }
  }

  private static void flux(FluxSource flux) throws SpecInvalid {
    String path = "spec.fluxSource.sourceRef.";
    required(path + "apiVersion", flux.sourceRef().apiVersion(), "copy it from the Flux object");
    required(path + "kind", flux.sourceRef().kind(), "copy it from the Flux object");
    required(path + "name", flux.sourceRef().name(), "name the Flux object");
  }

  private static void references(StackSpec spec, String namespace) throws SpecInvalid {
    for (Map.Entry<String, ConfigRef> ref : spec.configRef().entrySet()) {
      String path = "spec.configRef[" + ref.getKey() + "].";
      required(path + "name", ref.getValue().name(), "name the ConfigMap");
      required(path + "key", ref.getValue().key(), "name the key in the ConfigMap");
    }
    for (Map.Entry<String, ResourceRef> ref : spec.secretsRef().entrySet()) {
      usable("spec.secretsRef[" + ref.getKey() + "]", ref.getValue(), namespace);
    }
    for (Map.Entry<String, ResourceRef> ref : spec.envRefs().entrySet()) {
      usable("spec.envRefs[" + ref.getKey() + "]", ref.getValue(), namespace);
    }
  }

  private static void usable(String path, ResourceRef ref, String namespace) throws SpecInvalid {
    if (ref instanceof Unusable unusable) {
      throw new SpecInvalid(path + "." + unusable.field(), unusable.problem(), unusable.fix());
    }
    if (ref instanceof SecretKey key
        && !key.namespace().isEmpty()
        && !key.namespace().equals(namespace)) {
      throw new SpecInvalid(
          path + ".secret.namespace",
          "is another namespace than the Stack's",
          "copy the Secret to the Stack's namespace");
    }
  }

  private static void gitAuth(GitAuth auth, String namespace) throws SpecInvalid {
    String path = "spec.gitAuth.";
    secret(path + "accessToken", auth.accessToken(), namespace);
    secret(path + "sshAuth.password", auth.sshAuth().password(), namespace);
    group(
        auth.sshAuth().equals(GitAuth.SshAuth.NONE),
        path + "sshAuth.sshPrivateKey",
        auth.sshAuth().sshPrivateKey(),
        namespace);
    boolean noApp = auth.githubApp().equals(GitAuth.GitHubApp.NONE);
    group(noApp, path + "githubApp.appID", auth.githubApp().appID(), namespace);
    group(noApp, path + "githubApp.installationID", auth.githubApp().installationID(), namespace);
    group(noApp, path + "githubApp.privateKey", auth.githubApp().privateKey(), namespace);
    boolean noBasic = auth.basicAuth().equals(GitAuth.BasicAuth.NONE);
    group(noBasic, path + "basicAuth.userName", auth.basicAuth().userName(), namespace);
    group(noBasic, path + "basicAuth.password", auth.basicAuth().password(), namespace);
  }

  private static void group(boolean absent, String path, ResourceRef ref, String namespace)
      throws SpecInvalid {
    if (!absent && ref instanceof ResourceRef.None) {
      throw new SpecInvalid(path, "is missing", "refer to a Secret, or leave the whole group out");
    }
    secret(path, ref, namespace);
  }

  private static void secret(String path, ResourceRef ref, String namespace) throws SpecInvalid {
    usable(path, ref, namespace);
    if (ref instanceof Literal) {
      throw new SpecInvalid(path + ".type", "is Literal", "keep git credentials in a Secret");
    }
  }

  private static void prerequisites(List<Prerequisite> prerequisites) throws SpecInvalid {
    for (int i = 0; i < prerequisites.size(); i++) {
      String path = "spec.prerequisites[" + i + "].";
      Prerequisite prerequisite = prerequisites.get(i);
      required(path + "name", prerequisite.name(), "name the other Stack");
      String within = prerequisite.requirement().succeededWithinDuration();
      Optional<Duration> parsed = GoDuration.parse(within);
      if (!within.isEmpty() && parsed.filter(Duration::isPositive).isEmpty()) {
        throw new SpecInvalid(
            path + "requirement.succeededWithinDuration",
            "is not a positive duration",
            "write it as 90s, 15m or 1h30m");
      }
    }
  }

  private static void required(String path, String value, String fix) throws SpecInvalid {
    if (value.isBlank()) {
      throw new SpecInvalid(path, "is missing", fix);
    }
  }
}
