package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.SpecInvalid;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A rule of the compatible objects each. */
class WorkspaceObjectsTest {
  private static final String LABELS =
      "{auto.pulumi.com/component: workspace, auto.pulumi.com/workspace-name: web}";
  private static final String LABELS_AND_UID =
      "{auto.pulumi.com/component: workspace, auto.pulumi.com/workspace-name: web,"
          + " reprise.dev/stack-uid: u-1}";

  @Test
  void serviceAndStatefulSetAreNamedAfterTheStack() throws Exception {
    WorkspaceObjects objects = Given.git("").objects();
    for (JsonNode object : List.of(objects.service(), objects.statefulSet())) {
      assertThat(object.path("metadata").path("name").asString()).isEqualTo("web-workspace");
      assertThat(object.path("metadata").path("namespace").asString()).isEqualTo("apps");
    }
    assertThat(objects.statefulSet().path("spec").path("serviceName").asString())
        .isEqualTo("web-workspace");
    assertThat(Names.pod("web")).isEqualTo("web-workspace-0");
    assertThat(Names.host(Given.STACK)).isEqualTo("web-workspace.apps");
  }

  @Test
  void allObjectsAndThePodCarryTheSystemLabelsAndTheStacksUid() throws Exception {
    Given given = Given.git("");
    assertThat(given.service().path("metadata").path("labels"))
        .isEqualTo(Given.yaml(LABELS_AND_UID));
    assertThat(given.template().path("metadata").path("labels"))
        .isEqualTo(Given.yaml(LABELS_AND_UID));
    assertThat(given.statefulSet().path("metadata").path("labels").properties())
        .containsAll(Given.yaml(LABELS_AND_UID).properties());
  }

  @Test
  void theSelectorsAreTheSystemLabelsAlone() throws Exception {
    Given given = Given.git("");
    assertThat(given.statefulSet().path("spec").path("selector").path("matchLabels"))
        .isEqualTo(Given.yaml(LABELS));
    assertThat(given.service().path("spec").path("selector")).isEqualTo(Given.yaml(LABELS));
  }

  @Test
  void nothingIsOwnedByTheStack() throws Exception {
    WorkspaceObjects objects = Given.git("").objects();
    assertThat(objects.service().path("metadata").has("ownerReferences")).isFalse();
    assertThat(objects.statefulSet().path("metadata").has("ownerReferences")).isFalse();
  }

  @Test
  void theServiceIsHeadlessWithOneGrpcPort() throws Exception {
    JsonNode spec = Given.git("").service().path("spec");
    assertThat(spec.path("clusterIP").asString()).isEqualTo("None");
    assertThat(spec.path("ports"))
        .isEqualTo(Given.yaml("[{name: grpc, port: 50051, protocol: TCP}]"));
    assertThat(spec.has("publishNotReadyAddresses")).isFalse();
  }

  @Test
  void aServiceTemplateAddsToTheServiceButItStaysHeadlessAndFindsItsPod() throws Exception {
    JsonNode spec =
        Given.git(
                "workspaceTemplate: {spec: {serviceTemplate: {spec: {publishNotReadyAddresses: true,"
                    + " clusterIP: 10.0.0.1, selector: {a: b}, ports: [{name: metrics, port: 9}]}}}}")
            .service()
            .path("spec");
    assertThat(spec.path("publishNotReadyAddresses").asBoolean()).isTrue();
    assertThat(spec.path("clusterIP").asString()).isEqualTo("None");
    assertThat(spec.path("selector")).isEqualTo(Given.yaml(LABELS));
    assertThat(Given.names(spec.path("ports"))).containsExactly("grpc", "metrics");
  }

  @Test
  void oneReplicaIsManagedInParallelAndEndsWithinTenMinutes() throws Exception {
    Given given = Given.git("");
    JsonNode spec = given.statefulSet().path("spec");
    assertThat(spec.path("replicas").asInt()).isEqualTo(1);
    assertThat(spec.path("podManagementPolicy").asString()).isEqualTo("Parallel");
    assertThat(given.pod().path("terminationGracePeriodSeconds").asInt()).isEqualTo(600);
  }

  @Test
  void theServiceAccountIsTheSpecsOrDefault() throws Exception {
    assertThat(Given.git("").pod().path("serviceAccountName").asString()).isEqualTo("default");
    assertThat(
            Given.git("serviceAccountName: deployer").pod().path("serviceAccountName").asString())
        .isEqualTo("deployer");
    assertThat(
            Given.git(
                    "serviceAccountName: deployer\n"
                        + "workspaceTemplate: {spec: {serviceAccountName: other}}")
                .pod()
                .path("serviceAccountName")
                .asString())
        .isEqualTo("other");
  }

  @Test
  void theMainContainersCommandIsExactlyTheAgents() throws Exception {
    assertThat(Given.texts(Given.git("").main().path("command")))
        .containsExactly(
            "/share/tini",
            "/share/agent",
            "--",
            "serve",
            "--workspace",
            "/share/workspace",
            "--skip-install",
            "--env-file",
            "/share/.env",
            "--auth-mode",
            "kube",
            "--kube-audience",
            "web.apps",
            "--kube-workspace-namespace",
            "apps",
            "--kube-workspace-name",
            "web");
    assertThat(Given.git("").main().path("workingDir").asString()).isEqualTo("/share/workspace");
    assertThat(Given.git("").main().path("ports"))
        .isEqualTo(Given.yaml("[{name: grpc, containerPort: 50051, protocol: TCP}]"));
  }

  @Test
  void aLogLevelAboveZeroIsPassedOn() throws Exception {
    assertThat(
            Given.texts(
                Given.git("workspaceTemplate: {spec: {pulumiLogLevel: 3}}").main().path("command")))
        .endsWith("--pulumi-log-level", "3");
    assertThat(
            Given.texts(
                Given.git("workspaceTemplate: {spec: {pulumiLogLevel: 0}}").main().path("command")))
        .doesNotContain("--pulumi-log-level");
  }

  @Test
  void noContainerHasAProbe() throws Exception {
    JsonNode main = Given.git("").main();
    assertThat(main.propertyNames())
        .doesNotContain("livenessProbe", "readinessProbe", "startupProbe");
  }

  @Test
  void requestsAreSmallUnlessAskedForOtherwise() throws Exception {
    assertThat(Given.git("").main().path("resources"))
        .isEqualTo(Given.yaml("{requests: {memory: 64Mi, cpu: 100m}}"));
    assertThat(
            Given.git("workspaceTemplate: {spec: {resources: {requests: {memory: 1Gi}}}}")
                .main()
                .path("resources"))
        .isEqualTo(Given.yaml("{requests: {memory: 1Gi, cpu: 100m}}"));
  }

  @Test
  void theRestrictedProfileIsTheDefault() throws Exception {
    Given given = Given.git("");
    assertThat(given.main().path("image").asString()).isEqualTo("pulumi/pulumi:latest-nonroot");
    assertThat(given.pod().path("securityContext"))
        .isEqualTo(
            Given.yaml(
                "{seccompProfile: {type: RuntimeDefault}, runAsNonRoot: true, runAsUser: 1000,"
                    + " runAsGroup: 1000}"));
    for (String name : List.of("bootstrap", "fetch", "pulumi")) {
      assertThat(Given.container(given.pod(), name).path("securityContext"))
          .as(name)
          .isEqualTo(
              Given.yaml(
                  "{allowPrivilegeEscalation: false,"
                      + " capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}"));
    }
  }

  @Test
  void theBaselineProfileLeavesContainersAsTheirImagesWantThem() throws Exception {
    Given given = Given.git("workspaceTemplate: {spec: {securityProfile: baseline}}");
    assertThat(given.main().path("image").asString()).isEqualTo("pulumi/pulumi:latest");
    assertThat(given.pod().path("securityContext"))
        .isEqualTo(Given.yaml("{seccompProfile: {type: RuntimeDefault}}"));
    assertThat(given.main().has("securityContext")).isFalse();
    assertThat(given.fetch().has("securityContext")).isFalse();
  }

  @Test
  void anUnknownProfileIsRefusedWithItsPlace() {
    assertThatThrownBy(
            () -> Given.git("workspaceTemplate: {spec: {securityProfile: open}}").objects())
        .isInstanceOf(SpecInvalid.class)
        .hasMessage(
            "spec.workspaceTemplate.spec.securityProfile is no known profile: use restricted or baseline");
  }

  @Test
  void theProfileIsAppliedBeforeThePodTemplateWhichMayOverrideIt() throws Exception {
    Given given =
        Given.git(
            "workspaceTemplate: {spec: {podTemplate: {spec: {securityContext: {runAsUser: 7},"
                + " containers: [{name: pulumi, securityContext: {allowPrivilegeEscalation: true}}]}}}}");
    assertThat(given.pod().path("securityContext").path("runAsUser").asInt()).isEqualTo(7);
    assertThat(given.pod().path("securityContext").path("runAsGroup").asInt()).isEqualTo(1000);
    assertThat(given.main().path("securityContext").path("allowPrivilegeEscalation").asBoolean())
        .isTrue();
  }

  @Test
  void theShareVolumeIsAnEmptyDirMountedInEveryGeneratedContainer() throws Exception {
    Given given = Given.git("");
    assertThat(given.pod().path("volumes")).isEqualTo(Given.yaml("[{name: share, emptyDir: {}}]"));
    for (String name : List.of("bootstrap", "fetch", "pulumi")) {
      assertThat(Given.container(given.pod(), name).path("volumeMounts"))
          .as(name)
          .isEqualTo(Given.yaml("[{name: share, mountPath: /share}]"));
    }
  }

  @Test
  void theVariablesOfTheWorkspaceComeFirstThenThoseAboutThePodAndPulumiEnvLast() throws Exception {
    Given given =
        Given.git(
            """
            backend: s3://state
            accessTokenSecret: token
            envRefs:
              Z: {type: Literal, literal: {value: z}}
              A: {type: Secret, secret: {name: s, key: k}}
            workspaceTemplate:
              spec:
                env: [{name: EXTRA, value: x}]
                podTemplate: {spec: {containers: [{name: pulumi, env: [{name: MINE, value: m}]}]}}
            """);
    assertThat(Given.names(given.main().path("env")))
        .containsExactly(
            "A",
            "Z",
            "PULUMI_BACKEND_URL",
            "PULUMI_ACCESS_TOKEN",
            "EXTRA",
            "POD_NAMESPACE",
            "POD_SA_NAME",
            "AGENT_MEMLIMIT",
            "MINE",
            "PULUMI_ENV");
    assertThat(Given.variable(given.main(), "A")).isEqualTo("s/k");
    assertThat(Given.variable(given.main(), "Z")).isEqualTo("z");
    assertThat(Given.variable(given.main(), "PULUMI_BACKEND_URL")).isEqualTo("s3://state");
    assertThat(Given.variable(given.main(), "PULUMI_ACCESS_TOKEN")).isEqualTo("token/accessToken");
  }

  @Test
  void thePodTellsTheAgentItsNamespaceItsAccountAndItsMemory() throws Exception {
    assertThat(Given.git("").main().path("env"))
        .isEqualTo(
            Given.yaml(
                """
                - {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
                - {name: POD_SA_NAME, valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}}
                - {name: AGENT_MEMLIMIT, valueFrom: {resourceFieldRef: {containerName: pulumi, resource: requests.memory}}}
                - {name: PULUMI_ENV, value: /share/.env}
                """));
  }

  @Test
  void pulumiEnvIsInEveryContainerAlsoTheUsersAndOnlyOnce() throws Exception {
    JsonNode pod =
        Given.git(
                """
                workspaceTemplate:
                  spec:
                    podTemplate:
                      spec:
                        initContainers: [{name: prepare, image: i}]
                        containers:
                          - {name: pulumi, env: [{name: PULUMI_ENV, value: other}]}
                          - {name: sidecar, image: s}
                """)
            .pod();
    for (String name : List.of("bootstrap", "fetch", "prepare", "pulumi", "sidecar")) {
      JsonNode env = Given.container(pod, name).path("env");
      assertThat(Given.names(env)).as(name).containsOnlyOnce("PULUMI_ENV").endsWith("PULUMI_ENV");
      assertThat(Given.variable(Given.container(pod, name), "PULUMI_ENV")).isEqualTo("/share/.env");
    }
  }

  @Test
  void wholeConfigMapsComeBeforeWholeSecrets() throws Exception {
    assertThat(Given.git("envSecrets: [s]\nenvs: [a, b]").main().path("envFrom"))
        .isEqualTo(
            Given.yaml(
                "[{configMapRef: {name: a}}, {configMapRef: {name: b}}, {secretRef: {name: s}}]"));
  }

  @Test
  void wholeObjectsOfTheTemplateTakeThePlaceOfTheStacksAsTheListIsOneValue() throws Exception {
    assertThat(
            Given.git(
                    "envs: [a]\nworkspaceTemplate: {spec: {envFrom: [{secretRef: {name: mine}}]}}")
                .main()
                .path("envFrom"))
        .isEqualTo(Given.yaml("[{secretRef: {name: mine}}]"));
  }

  @Test
  void configMapsAndSecretsOfTheConfigurationAreMountedOnceEach() throws Exception {
    Given given =
        Given.git(
            """
            configRef:
              one: {name: cm, key: a}
              two: {name: cm, key: b}
            secretsRef:
              pw: {type: Secret, secret: {name: db, key: password}}
              lit: {type: Literal, literal: {value: x}}
            """);
    assertThat(given.pod().path("volumes"))
        .isEqualTo(
            Given.yaml(
                "[{name: share, emptyDir: {}}, {name: configmap-cm, configMap: {name: cm}},"
                    + " {name: secret-db, secret: {secretName: db}}]"));
    assertThat(given.main().path("volumeMounts"))
        .isEqualTo(
            Given.yaml(
                "[{name: share, mountPath: /share},"
                    + " {name: configmap-cm, mountPath: /var/run/configmaps/stacks.pulumi.com/configmaps/cm},"
                    + " {name: secret-db, mountPath: /var/run/secrets/stacks.pulumi.com/secrets/db}]"));
  }

  @Test
  void aVolumesNameFitsAlsoWhenItsObjectsNameDoesNot() {
    String longName = "x".repeat(80);
    assertThat(VolumeNames.of("secret-", "db")).isEqualTo("secret-db");
    assertThat(VolumeNames.of("secret-", "db.prod"))
        .matches("secret-db-prod-[0-9a-f]{8}")
        .isNotEqualTo(VolumeNames.of("secret-", "db-prod"));
    assertThat(VolumeNames.of("secret-", longName + "1"))
        .hasSizeLessThanOrEqualTo(63)
        .isNotEqualTo(VolumeNames.of("secret-", longName + "2"));
  }

  @Test
  void aUsersInitContainersFollowTheGeneratedOnes() throws Exception {
    assertThat(
            Given.names(
                Given.git(
                        "workspaceTemplate: {spec: {podTemplate: {spec: {initContainers:"
                            + " [{name: a}, {name: fetch, tty: true}, {name: b}]}}}}")
                    .pod()
                    .path("initContainers")))
        .containsExactly("bootstrap", "fetch", "a", "b");
  }

  @Test
  void aContainerNamedPulumiInATemplateOnlyAddsToTheGeneratedOne() throws Exception {
    JsonNode main =
        Given.git(
                "workspaceTemplate: {spec: {image: mine:1, imagePullPolicy: Always, podTemplate:"
                    + " {spec: {containers: [{name: pulumi, volumeMounts: [{name: c, mountPath: /c}]}],"
                    + " volumes: [{name: c, emptyDir: {}}]}}}}")
            .main();
    assertThat(main.path("image").asString()).isEqualTo("mine:1");
    assertThat(main.path("imagePullPolicy").asString()).isEqualTo("Always");
    assertThat(Given.names(main.path("volumeMounts"))).containsExactly("share", "c");
    assertThat(main.path("command").isEmpty()).isFalse();
  }

  @Test
  void metadataOfTheTemplatesReachesThePodTheServiceAndTheStatefulSetButNoSystemLabelChanges()
      throws Exception {
    Given given =
        Given.git(
            """
            workspaceTemplate:
              metadata: {name: other, labels: {team: a, auto.pulumi.com/component: x}, annotations: {n: w}}
              spec:
                podTemplate: {metadata: {name: p, labels: {tier: b, reprise.dev/stack-uid: x}, annotations: {n: p}}}
                serviceTemplate: {metadata: {labels: {tier: c, auto.pulumi.com/workspace-name: x}, annotations: {n: s}}}
            """);
    assertThat(given.statefulSet().path("metadata"))
        .isEqualTo(
            Given.yaml(
                "{name: web-workspace, namespace: apps, labels: {pulumi.com/component: stack,"
                    + " pulumi.com/stack-name: web, team: a, auto.pulumi.com/component: workspace,"
                    + " auto.pulumi.com/workspace-name: web, reprise.dev/stack-uid: u-1},"
                    + " annotations: {n: w}}"));
    JsonNode pod = given.template().path("metadata");
    assertThat(pod.path("labels").path("tier").asString()).isEqualTo("b");
    assertThat(pod.path("labels").path("reprise.dev/stack-uid").asString()).isEqualTo("u-1");
    assertThat(pod.path("annotations").path("n").asString()).isEqualTo("p");
    assertThat(pod.has("name")).isFalse();
    JsonNode service = given.service().path("metadata");
    assertThat(service.path("labels").path("tier").asString()).isEqualTo("c");
    assertThat(service.path("labels").path("auto.pulumi.com/workspace-name").asString())
        .isEqualTo("web");
    assertThat(service.path("annotations").path("n").asString()).isEqualTo("s");
  }

  @Test
  void aTemplateDeletesWhatIsGenerated() throws Exception {
    Given given =
        Given.git(
            "workspaceTemplate: {spec: {podTemplate: {spec: {securityContext: {runAsUser: null},"
                + " volumes: [{name: share, $retainKeys: [name, persistentVolumeClaim],"
                + " persistentVolumeClaim: {claimName: c}}]}}}}");
    assertThat(given.pod().path("securityContext").has("runAsUser")).isFalse();
    assertThat(given.pod().path("volumes"))
        .isEqualTo(Given.yaml("[{name: share, persistentVolumeClaim: {claimName: c}}]"));
  }

  @Test
  void refusalsNameThePlaceInTheTemplate() {
    assertThatThrownBy(
            () ->
                Given.git("workspaceTemplate: {spec: {podTemplate: {spec: {containers: {}}}}}")
                    .objects())
        .hasMessage(
            "spec.workspaceTemplate.spec.podTemplate.spec.containers is an object: give a list");
    assertThatThrownBy(
            () ->
                Given.git(
                        "workspaceTemplate: {spec: {podTemplate: {spec: {containers:"
                            + " [{$patch: replace}, {name: pulumi}]}}}}")
                    .objects())
        .hasMessage(
            "spec.workspaceTemplate.spec.podTemplate.spec.containers takes the container pulumi"
                + " away: leave it: the agent runs in it");
    assertThatThrownBy(
            () -> Given.git("workspaceTemplate: {spec: {serviceTemplate: [1]}}").objects())
        .hasMessage("spec.workspaceTemplate.spec.serviceTemplate is a list: give an object");
    assertThatThrownBy(() -> Given.git("workspaceTemplate: {spec: {env: [{}]}}").objects())
        .hasMessageStartingWith("spec.workspaceTemplate.spec.env[0].name is missing: ");
    assertThatThrownBy(
            () -> Given.git("workspaceTemplate: {spec: {stacks: [{name: prod}]}}").objects())
        .hasMessageStartingWith("spec.workspaceTemplate.spec.stacks is not read: ");
  }
}
