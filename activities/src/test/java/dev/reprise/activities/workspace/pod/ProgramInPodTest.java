package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** How the agent and the program come into a pod, and when the pod has to be another one. */
class ProgramInPodTest {

  @Test
  void bootstrapCopiesWhatTheAgentsImageHolds() throws Exception {
    JsonNode pko = Given.container(Given.git("").pod(), "bootstrap");
    assertThat(Given.texts(pko.path("command")))
        .containsExactly("cp", "-R", "/agent", "/tini", "/share/");
    assertThat(pko.path("image").asString()).isEqualTo("pulumi/pulumi-kubernetes-operator:v2.9.0");
    assertThat(pko.path("imagePullPolicy").asString()).isEqualTo("IfNotPresent");

    JsonNode own = Given.container(Given.git("").with(Given.OWN).pod(), "bootstrap");
    assertThat(Given.texts(own.path("command")))
        .containsExactly("cp", "-R", "/agent", "/tini", "/runtime", "/share/");
  }

  @Test
  void anAgentOfOursIsToldWhichVariablesToMask() throws Exception {
    Given given = Given.git("").with(Given.OWN);
    JsonNode own = Given.container(template(given.objects("A,B")), "pulumi");
    assertThat(Given.variable(own, "REPRISE_AGENT_SECRETS")).isEqualTo("A,B");
    JsonNode pko = Given.container(template(given.with(Given.PKO).objects("A,B")), "pulumi");
    assertThat(Given.names(pko.path("env"))).doesNotContain("REPRISE_AGENT_SECRETS");
  }

  private static JsonNode template(WorkspaceObjects objects) {
    return objects.statefulSet().path("spec").path("template").path("spec");
  }

  @Test
  void aGitProgramIsFetchedAtItsCommitAndItsFolderLinked() throws Exception {
    JsonNode fetch = Given.git("repoDir: infra\nshallow: true").fetch();
    assertThat(Given.texts(fetch.path("command")))
        .containsExactly(
            "sh",
            "-c",
            "rm -rf /share/source && /share/agent init -t /share/source --git-url \"$GIT_URL\""
                + " --git-revision \"$GIT_REVISION\""
                + " && ln -sfn \"/share/source/$GIT_DIR\" /share/workspace");
    assertThat(Given.names(fetch.path("env")))
        .containsExactly("GIT_URL", "GIT_REVISION", "GIT_DIR", "GIT_SHALLOW", "PULUMI_ENV");
    assertThat(Given.variable(fetch, "GIT_URL")).isEqualTo("https://git.example.com/shop.git");
    assertThat(Given.variable(fetch, "GIT_REVISION")).isEqualTo(Given.COMMIT);
    assertThat(Given.variable(fetch, "GIT_DIR")).isEqualTo("infra");
    assertThat(Given.variable(fetch, "GIT_SHALLOW")).isEqualTo("true");
    assertThat(Given.names(Given.git("").fetch().path("env"))).doesNotContain("GIT_SHALLOW");
  }

  @Test
  void theOlderSecretOfGitIsMountedWithEveryKeyItMayHave() throws Exception {
    JsonNode fetch = Given.git("gitAuthSecret: old").fetch();
    assertThat(Given.variable(fetch, "GIT_SSH_PRIVATE_KEY")).isEqualTo("old/sshPrivateKey?");
    assertThat(Given.variable(fetch, "GIT_USERNAME")).isEqualTo("old/username?");
    assertThat(Given.variable(fetch, "GIT_PASSWORD")).isEqualTo("old/password?");
    assertThat(Given.variable(fetch, "GIT_TOKEN")).isEqualTo("old/accessToken?");
  }

  @Test
  void ofTheStructuredCredentialsTheFirstInOrderIsUsed() throws Exception {
    String app =
        "githubApp: {appID: %s, installationID: %s, privateKey: %s}"
            .formatted(secret("id"), secret("inst"), secret("pem"));
    String basic =
        "basicAuth: {userName: %s, password: %s}".formatted(secret("user"), secret("pass"));
    String token = "accessToken: " + secret("tok");
    String ssh =
        "sshAuth: {sshPrivateKey: %s, password: %s}".formatted(secret("key"), secret("phrase"));

    JsonNode bySsh = auth(ssh, token, app, basic);
    assertThat(secrets(bySsh)).containsExactly("GIT_SSH_PRIVATE_KEY", "GIT_PASSWORD");
    assertThat(Given.variable(bySsh, "GIT_PASSWORD")).isEqualTo("git/phrase");
    assertThat(secrets(auth(token, app, basic))).containsExactly("GIT_TOKEN");
    assertThat(secrets(auth(app, basic)))
        .containsExactly(
            "GIT_GITHUB_APP_ID", "GIT_GITHUB_APP_INSTALLATION_ID", "GIT_GITHUB_APP_PRIVATE_KEY");
    JsonNode byPassword = auth(basic);
    assertThat(secrets(byPassword)).containsExactly("GIT_USERNAME", "GIT_PASSWORD");
    assertThat(Given.variable(byPassword, "GIT_USERNAME")).isEqualTo("git/user");
  }

  @Test
  void aRepositoryGivenInTheWorkspaceBringsItsOwnCredentials() throws Exception {
    JsonNode fetch =
        Given.of(
                "{stack: dev, workspaceTemplate: {spec: {git: {url: u, ref: main, auth:"
                    + " {sshPrivateKey: {name: s, key: k}, password: {name: s, key: p}}}}}}")
            .fetch();
    assertThat(Given.variable(fetch, "GIT_SSH_PRIVATE_KEY")).isEqualTo("s/k");
    assertThat(Given.variable(fetch, "GIT_PASSWORD")).isEqualTo("s/p");
    JsonNode byApp =
        Given.of(
                "{stack: dev, workspaceTemplate: {spec: {git: {url: u, ref: main, auth: {githubApp:"
                    + " {appID: {name: s, key: i}, installationID: {name: s, key: j},"
                    + " privateKey: {name: s, key: k}}}}}}}")
            .fetch();
    assertThat(Given.variable(byApp, "GIT_GITHUB_APP_PRIVATE_KEY")).isEqualTo("s/k");
    JsonNode byName =
        Given.of(
                "{stack: dev, workspaceTemplate: {spec: {git: {url: u, ref: main, auth:"
                    + " {username: {name: s, key: u}, password: {name: s, key: p}}}}}}")
            .fetch();
    assertThat(Given.variable(byName, "GIT_USERNAME")).isEqualTo("s/u");
  }

  private static JsonNode auth(String... kinds) throws Exception {
    return Given.git("gitAuth: {" + String.join(", ", kinds) + "}").fetch();
  }

  private static String secret(String key) {
    return "{type: Secret, secret: {name: git, key: " + key + "}}";
  }

  private static List<String> secrets(JsonNode fetch) {
    return Given.names(fetch.path("env")).stream()
        .filter(name -> !List.of("GIT_URL", "GIT_REVISION", "GIT_DIR", "PULUMI_ENV").contains(name))
        .toList();
  }

  @Test
  void anArtifactOfFluxIsFetchedByAddressAndDigest() throws Exception {
    Given given =
        Given.of(
            "{stack: dev, fluxSource: {dir: d, sourceRef:"
                + " {apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, name: shop}}}");
    JsonNode fetch = given.fetch();
    assertThat(Given.texts(fetch.path("command")).getLast())
        .contains("init -t /share/source --flux-url \"$FLUX_URL\" --flux-digest \"$FLUX_DIGEST\"")
        .endsWith("ln -sfn \"/share/source/$FLUX_DIR\" /share/workspace");
    assertThat(Given.variable(fetch, "FLUX_URL")).isEqualTo("http://source/a.tar.gz");
    assertThat(Given.variable(fetch, "FLUX_DIGEST")).isEqualTo("sha256:ab12");
    assertThat(Given.variable(fetch, "FLUX_DIR")).isEqualTo("d");
    assertThat(Given.names(fetch.path("env"))).doesNotContain("FLUX_MAX_UNTAR_SIZE_BYTES");
  }

  @Test
  void theOperatorsLimitOfWhatIsUnpackedIsPassedOn() throws Exception {
    Given given =
        Given.git("").with(new Program.Archive("http://source/a.tar.gz", "sha256:ab12", ""));
    WorkspaceObjects objects =
        WorkspaceObjects.of(
            new WorkspaceObjects.Ingredients(
                Given.STACK, given.spec(), given.program(), "7", false, "", ""),
            new PodSettings(Given.PKO, "-1"));
    JsonNode fetch = Given.container(template(objects), "fetch");
    assertThat(Given.variable(fetch, "FLUX_MAX_UNTAR_SIZE_BYTES")).isEqualTo("-1");
  }

  @Test
  void aProgramOfTheClusterIsCopiedFromItsConfigMap() throws Exception {
    Given given = Given.of("{stack: dev, programRef: {name: p}}");
    JsonNode fetch = given.fetch();
    assertThat(Given.texts(fetch.path("command")))
        .containsExactly(
            "sh",
            "-c",
            "rm -rf /share/source && mkdir -p /share/source && cp /reprise/program/* /share/source/"
                + " && ln -sfn /share/source /share/workspace");
    assertThat(Given.names(fetch.path("volumeMounts"))).containsExactly("share", "reprise-program");
    assertThat(given.objects().configMaps().getFirst().at("/metadata/name").asString())
        .isEqualTo("web-workspace-program");
    assertThat(Given.git("").objects().configMaps()).isEmpty();
  }

  @Test
  void aLocalFolderIsLinked() throws Exception {
    JsonNode fetch =
        Given.of("{stack: dev, workspaceTemplate: {spec: {local: {dir: /src/app}}}}").fetch();
    assertThat(Given.texts(fetch.path("command")))
        .containsExactly("sh", "-c", "ln -sfn \"$LOCAL_DIR\" /share/workspace");
    assertThat(Given.variable(fetch, "LOCAL_DIR")).isEqualTo("/src/app");
  }

  @Test
  void aDestroyWithoutASourceGetsAProjectAndNoProgram() throws Exception {
    assertThat(Given.texts(Given.git("").destroying().fetch().path("command")))
        .containsExactly(
            "/share/agent",
            "init",
            "-t",
            "/share/workspace",
            "--project-name",
            "shop",
            "--project-runtime",
            "nodejs");
  }

  @Test
  void withoutAnySourceNothingIsFetched() throws Exception {
    assertThat(Given.names(Given.of("stack: dev").pod().path("initContainers")))
        .containsExactly("bootstrap");
  }

  @Test
  void aTemplateCannotBringASecondSource() throws Exception {
    JsonNode pod =
        Given.of("{stack: dev, workspaceTemplate: {spec: {local: {dir: /src}}}}")
            .destroying()
            .pod();
    assertThat(Given.names(pod.path("initContainers"))).containsExactly("bootstrap", "fetch");
    assertThat(Given.container(pod, "fetch").toString()).doesNotContain("/src");
  }

  @Test
  void aDestroyStartsAlsoWhenWhatItRefersToIsGone() throws Exception {
    Given given =
        Given.git(
                """
                accessTokenSecret: token
                envs: [cm]
                envSecrets: [s]
                configRef: {a: {name: cm, key: k}}
                secretsRef: {b: {type: Secret, secret: {name: s, key: k}}}
                """)
            .destroying();
    assertThat(Given.variable(given.main(), "PULUMI_ACCESS_TOKEN")).isEqualTo("token/accessToken?");
    assertThat(given.main().path("envFrom").valueStream())
        .allSatisfy(ref -> assertThat(ref.toString()).contains("\"optional\":true"));
    assertThat(given.pod().path("volumes").valueStream().skip(1))
        .allSatisfy(volume -> assertThat(volume.toString()).contains("\"optional\":true"));
    assertThat(Given.git("accessTokenSecret: token").pod().toString()).doesNotContain("optional");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "repoDir: other",
        "backend: s3://other",
        "secretsProvider: awskms://k",
        "useLocalStackOnly: true",
        "environment: [prod]",
        "serviceAccountName: other",
        "workspaceTemplate: {spec: {image: other}}",
        "workspaceTemplate: {metadata: {labels: {a: b}}}",
        "workspaceTemplate: {spec: {serviceTemplate: {metadata: {labels: {a: b}}}}}",
      })
  void aSpecThatSaysSomethingOfThePodOrItsPreparationMakesItAnother(String more) throws Exception {
    assertThat(hash(Given.git(more))).isNotEqualTo(hash(Given.git("")));
  }

  @Test
  void anotherRevisionOrAnotherAgentMakesThePodAnother() throws Exception {
    Given given = Given.git("");
    assertThat(hash(given.atRevision("b"))).isNotEqualTo(hash(given.atRevision("a")));
    assertThat(hash(given.with(Given.OWN))).isNotEqualTo(hash(given));
    assertThat(given.template().path("metadata").path("annotations").path(Names.REVISION_HASH))
        .isEqualTo(StringNode.valueOf(hash(given)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retryMaxBackoffDurationSeconds: 60",
        "targets: [a]",
        "preview: true",
        "prerequisites: [{name: other}]",
        "workspaceReclaimPolicy: Delete",
      })
  void aSpecThatSaysNothingOfThePodLeavesItAlone(String more) throws Exception {
    assertThat(hash(Given.git(more))).isEqualTo(hash(Given.git("")));
  }

  @Test
  void theOrderInWhichAManifestIsWrittenDoesNotMatter() throws Exception {
    String one = "workspaceTemplate: {spec: {podTemplate: {metadata: {labels: {a: b, c: d}}}}}";
    String other = "workspaceTemplate: {spec: {podTemplate: {metadata: {labels: {c: d, a: b}}}}}";
    assertThat(hash(Given.git(one))).isEqualTo(hash(Given.git(other)));
  }

  private static String hash(Given given) throws Exception {
    return given.objects().revisionHash();
  }
}
