package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateRulesTest {
  @Test
  void bothTemplatesAreKeptAsTheyWereWritten() throws SpecInvalid {
    StackSpec spec =
        Specs.read(
            """
            stack: dev
            workspaceTemplate:
              metadata: {labels: {team: a}}
              spec:
                image: example/pulumi:1
                podTemplate: {spec: {containers: [{name: pulumi, $patch: replace}]}}
                somethingNew: [1, {a: null}]
            updateTemplate:
              metadata: {annotations: {x: y}}
              spec: {parallel: 4, type: refresh, somethingNew: true}
            """);

    assertThat(spec.workspaceTemplate().toString())
        .isEqualTo(
            "{\"metadata\":{\"labels\":{\"team\":\"a\"}},\"spec\":{\"image\":\"example/pulumi:1\","
                + "\"podTemplate\":{\"spec\":{\"containers\":[{\"name\":\"pulumi\","
                + "\"$patch\":\"replace\"}]}},\"somethingNew\":[1,{\"a\":null}]}}");
    assertThat(spec.updateTemplate().toString())
        .isEqualTo(
            "{\"metadata\":{\"annotations\":{\"x\":\"y\"}},"
                + "\"spec\":{\"parallel\":4,\"type\":\"refresh\",\"somethingNew\":true}}");
  }

  @Test
  void everyFieldAtItsRightKindIsAccepted() throws SpecInvalid {
    StackSpec spec =
        Specs.read(
            """
            stack: dev
            workspaceTemplate:
              apiVersion: auto.pulumi.com/v1alpha1
              kind: Workspace
              spec:
                env: [{name: A, value: b}]
                envFrom: [{secretRef: {name: s}}]
                git:
                  {url: u, ref: main, dir: d, shallow: true, auth: {token: {name: s, key: k}, githubApp:
                  {appID: {name: s, key: a}, installationID: {name: s, key: i}, privateKey: {name: s, key: p}}}}
                image: i
                imagePullPolicy: Always
                podTemplate: {}
                serviceTemplate: {}
                resources: {limits: {cpu: 1}}
                pulumiLogLevel: 3
                securityProfile: baseline
                serviceAccountName: deployer
                stacks: []
            updateTemplate:
              spec:
                {continueOnError: true, expectNoChanges: false, message: m, parallel: 0, refresh: null,
                remove: true, replace: [a], runProgram: true, target: [], targetDependents: true, type: ""}
            """);

    assertThat(spec.workspaceTemplate().at("/spec/pulumiLogLevel").asInt()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          updateTemplate: {spec: {type: Preview}}                   | spec.updateTemplate.spec.type is not one of the allowed values: use up, preview, refresh, destroy
          updateTemplate: {spec: {parallel: "4"}}                   | spec.updateTemplate.spec.parallel is a text: give a whole number from 0 to 2147483647
          updateTemplate: {spec: {parallel: -1}}                    | spec.updateTemplate.spec.parallel is out of range: give a whole number from 0 to 2147483647
          updateTemplate: {spec: {parallel: 3000000000}}            | spec.updateTemplate.spec.parallel is out of range: give a whole number from 0 to 2147483647
          updateTemplate: {spec: {remove: "yes"}}                   | spec.updateTemplate.spec.remove is a text: give true or false, without quotes
          updateTemplate: {spec: {target: urn}}                     | spec.updateTemplate.spec.target is a text: give a list of texts
          updateTemplate: {spec: {replace: [1]}}                    | spec.updateTemplate.spec.replace holds something else than texts: give a list of texts
          updateTemplate: {spec: {message: 5}}                      | spec.updateTemplate.spec.message is a whole number: give a text (put numbers, true and false in quotes)
          updateTemplate: {spec: [x]}                               | spec.updateTemplate.spec is a list: give an object
          workspaceTemplate: {metadata: x}                          | spec.workspaceTemplate.metadata is a text: give an object
          workspaceTemplate: {spec: {image: 1}}                     | spec.workspaceTemplate.spec.image is a whole number: give a text (put numbers, true and false in quotes)
          workspaceTemplate: {spec: {imagePullPolicy: Sometimes}}   | spec.workspaceTemplate.spec.imagePullPolicy is not one of the allowed values: use Always, IfNotPresent, Never
          workspaceTemplate: {spec: {env: {A: b}}}                  | spec.workspaceTemplate.spec.env is an object: give a list of objects
          workspaceTemplate: {spec: {envFrom: [a]}}                 | spec.workspaceTemplate.spec.envFrom holds something else than objects: give a list of objects
          workspaceTemplate: {spec: {podTemplate: [x]}}             | spec.workspaceTemplate.spec.podTemplate is a list: give an object
          workspaceTemplate: {spec: {git: x}}                       | spec.workspaceTemplate.spec.git is a text: give an object
          workspaceTemplate: {spec: {git: {url: u}}}                | spec.workspaceTemplate.spec.git.ref is missing: give it, or leave the whole group out
          workspaceTemplate: {spec: {git: {url: u, ref: r, auth: {token: {name: s}}}}} | spec.workspaceTemplate.spec.git.auth.token lacks its name or its key: give an object with name and key of a Secret
          workspaceTemplate: {spec: {git: {url: u, ref: r, auth: {token: t}}}} | spec.workspaceTemplate.spec.git.auth.token is a text: give an object with name and key of a Secret
          workspaceTemplate: {spec: {git: {url: u, ref: r, auth: {githubApp: {appID: {name: s, key: k}}}}}} | spec.workspaceTemplate.spec.git.auth.githubApp.installationID is missing: give it, or leave the whole group out
          workspaceTemplate: {spec: {local: {}}}                    | spec.workspaceTemplate.spec.local.dir is missing: give it, or leave the whole group out
          workspaceTemplate: {spec: {flux: {digest: x}}}            | spec.workspaceTemplate.spec.flux.url is missing: give it, or leave the whole group out
          workspaceTemplate: {spec: {stacks: [{name: a}]}}          | spec.workspaceTemplate.spec.stacks is not read: give spec.stack, spec.config, spec.secretsRef and spec.environment instead
          """)
  void aWrongFieldOfATemplateIsRefusedByItsPath(String yaml, String message) {
    assertThat(catchThrowableOfType(SpecInvalid.class, () -> Specs.read("stack: d\n" + yaml)))
        .hasMessage(message)
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "updateTemplate: {spec: {type: canary-5e}}",
        "updateTemplate: {spec: {remove: canary-5e}}",
        "workspaceTemplate: {spec: {env: canary-5e}}"
      })
  void aRefusalNeverQuotesTheValue(String yaml) {
    assertThat(
            catchThrowableOfType(SpecInvalid.class, () -> Specs.read("stack: d\n" + yaml))
                .toString())
        .doesNotContain("canary");
  }
}
