package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.GitAuth;
import dev.reprise.stack.spec.ResourceRef;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The containers that fill a workspace before its agent starts: {@code bootstrap} brings the agent,
 * {@code fetch} the program. A container may be started again after a failure, so each can repeat.
 */
final class InitContainers {
  static final String BOOTSTRAP = "bootstrap";
  static final String FETCH = "fetch";

  /** Where {@link Program.Text} is mounted. */
  static final String PROGRAM_VOLUME = "reprise-program";

  private static final String PROGRAM = "/reprise/program";
  private static final String SOURCE = "/share/source";

  private final PodSettings settings;
  private final boolean optionalRefs;
  private final ArrayNode containers;

  private InitContainers(PodSettings settings, boolean optionalRefs, ArrayNode containers) {
    this.settings = settings;
    this.optionalRefs = optionalRefs;
    this.containers = containers;
  }

  /**
   * Adds them.
   *
   * @param optionalRefs whether missing credentials keep the pod from starting
   */
  static void addTo(
      ArrayNode containers, Program program, PodSettings settings, boolean optionalRefs) {
    InitContainers init = new InitContainers(settings, optionalRefs, containers);
    init.bootstrap();
    switch (program) {
      case Program.Git git -> init.git(git);
      case Program.Text text -> init.text();
      case Program.Archive archive -> init.archive(archive);
      case Program.Local local -> init.local(local);
      case Program.Bare bare -> init.bare(bare);
      case Program.Own own -> {}
    }
  }

  private void bootstrap() {
    List<String> files = settings.agent().kind().files();
    command(
        container(BOOTSTRAP),
        Stream.of(List.of("cp", "-R"), files, List.of(PodTemplate.SHARE + "/"))
            .flatMap(List::stream)
            .toList());
  }

  private void git(Program.Git git) {
    ObjectNode fetch = container(FETCH);
    shell(fetch, fetched("--git-url \"$GIT_URL\" --git-revision \"$GIT_REVISION\"", "$GIT_DIR"));
    Env env = env(fetch);
    env.value("GIT_URL", git.url()).value("GIT_REVISION", git.commit()).value("GIT_DIR", git.dir());
    if (git.shallow()) {
      env.value("GIT_SHALLOW", "true");
    }
    if (!git.auth().equals(GitAuth.NONE)) {
      credentials(env, git.auth());
    } else if (!git.authSecret().isEmpty()) {
      // Which of them are there is for the agent to see, in this order.
      env.secret("GIT_SSH_PRIVATE_KEY", git.authSecret(), "sshPrivateKey", true)
          .secret("GIT_USERNAME", git.authSecret(), "username", true)
          .secret("GIT_PASSWORD", git.authSecret(), "password", true)
          .secret("GIT_TOKEN", git.authSecret(), "accessToken", true);
    }
  }

  private static void credentials(Env env, GitAuth auth) {
    if (!auth.sshAuth().sshPrivateKey().equals(ResourceRef.NONE)) {
      secret(env, "GIT_SSH_PRIVATE_KEY", auth.sshAuth().sshPrivateKey());
      // A template of the workspace has one password for both.
      boolean shared = auth.sshAuth().password().equals(ResourceRef.NONE);
      secret(env, "GIT_PASSWORD", shared ? auth.basicAuth().password() : auth.sshAuth().password());
    } else if (!auth.accessToken().equals(ResourceRef.NONE)) {
      secret(env, "GIT_TOKEN", auth.accessToken());
    } else if (!auth.githubApp().appID().equals(ResourceRef.NONE)) {
      secret(env, "GIT_GITHUB_APP_ID", auth.githubApp().appID());
      secret(env, "GIT_GITHUB_APP_INSTALLATION_ID", auth.githubApp().installationID());
      secret(env, "GIT_GITHUB_APP_PRIVATE_KEY", auth.githubApp().privateKey());
    } else {
      secret(env, "GIT_USERNAME", auth.basicAuth().userName());
      secret(env, "GIT_PASSWORD", auth.basicAuth().password());
    }
  }

  private static void secret(Env env, String name, ResourceRef ref) {
    if (ref instanceof ResourceRef.SecretKey key) {
      env.secret(name, key.name(), key.key());
    }
  }

  /** Copied, as Pulumi writes beside its project file. */
  private void text() {
    ObjectNode fetch = container(FETCH);
    shell(
        fetch,
        "rm -rf %s && mkdir -p %s && cp %s/* %s/ && ln -sfn %s %s"
            .formatted(SOURCE, SOURCE, PROGRAM, SOURCE, SOURCE, PodTemplate.WORKSPACE));
    fetch
        .withArrayProperty("volumeMounts")
        .addObject()
        .put("name", PROGRAM_VOLUME)
        .put("mountPath", PROGRAM)
        .put("readOnly", true);
  }

  private void archive(Program.Archive archive) {
    ObjectNode fetch = container(FETCH);
    shell(fetch, fetched("--flux-url \"$FLUX_URL\" --flux-digest \"$FLUX_DIGEST\"", "$FLUX_DIR"));
    Env env = env(fetch);
    env.value("FLUX_URL", archive.url())
        .value("FLUX_DIGEST", archive.digest())
        .value("FLUX_DIR", archive.dir());
    if (!settings.maxUntarBytes().isEmpty()) {
      env.value("FLUX_MAX_UNTAR_SIZE_BYTES", settings.maxUntarBytes());
    }
  }

  private void local(Program.Local local) {
    ObjectNode fetch = container(FETCH);
    shell(fetch, "ln -sfn \"$LOCAL_DIR\" " + PodTemplate.WORKSPACE);
    env(fetch).value("LOCAL_DIR", local.dir());
  }

  private void bare(Program.Bare bare) {
    command(
        container(FETCH),
        List.of(
            PodTemplate.AGENT,
            "init",
            "-t",
            PodTemplate.WORKSPACE,
            "--project-name",
            bare.project(),
            "--project-runtime",
            bare.runtime()));
  }

  private static String fetched(String arguments, String dir) {
    return "rm -rf %s && %s init -t %s %s && ln -sfn \"%s/%s\" %s"
        .formatted(
            SOURCE, PodTemplate.AGENT, SOURCE, arguments, SOURCE, dir, PodTemplate.WORKSPACE);
  }

  private ObjectNode container(String name) {
    ObjectNode container = containers.addObject();
    container
        .put("name", name)
        .put("image", settings.agent().image())
        .put("imagePullPolicy", settings.agent().pullPolicy());
    PodTemplate.mountShare(container);
    return container;
  }

  private static void shell(ObjectNode container, String line) {
    command(container, List.of("sh", "-c", line));
  }

  private static void command(ObjectNode container, List<String> words) {
    ArrayNode command = container.putArray("command");
    words.forEach(command::add);
  }

  private Env env(ObjectNode container) {
    return new Env(container.putArray("env"), optionalRefs);
  }
}
