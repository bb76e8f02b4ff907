package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.stack.spec.ResourceRef.Literal;
import dev.reprise.stack.spec.ResourceRef.SecretKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecReaderTest {
  @Test
  void absentFieldsAreEmptyAndUnknownOnesAreIgnored() throws SpecInvalid {
    StackSpec spec = Specs.read("{stack: dev, somethingNew: {a: 1}, refresh: null}");

    assertThat(spec)
        .isEqualTo(Specs.read("{stack: dev}"))
        .satisfies(
            s -> {
              assertThat(s.config().isEmpty()).isTrue();
              assertThat(s.refresh()).isFalse();
              assertThat(s.gitAuth()).isEqualTo(GitAuth.NONE);
              assertThat(s.workspaceReclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
              assertThat(s.retry().failureLimit()).isEqualTo(StackSpec.UNSET);
            });
  }

  @Test
  void readsEveryPartOfARealisticSpec() throws SpecInvalid {
    StackSpec spec =
        Specs.read(
            """
            stack: acme/shop/prod
            projectRepo: https://git.example.com/shop.git
            branch: main
            repoDir: infra
            gitAuth:
              basicAuth:
                userName: {type: Secret, secret: {name: git, key: user}}
                password: {type: Secret, secret: {name: git, key: pass}}
            config: {"aws:region": eu-west-1, sizes: {small: 1}}
            configRef: {motd: {name: texts, key: motd, json: true}}
            secretsRef: {token: {type: Secret, secret: {namespace: apps, name: api, key: token}}}
            envRefs: {MODE: {type: Literal, literal: {value: quiet}}}
            envs: [common]
            prerequisites:
              - name: network
                requirement: {succeededWithinDuration: 1h30m, sameRevision: true}
            destroyOnFinalize: true
            workspaceReclaimPolicy: Delete
            workspaceTemplate: {spec: {image: "example/pulumi:1"}}
            resyncFrequencySeconds: 600
            retry: {initialBackoffSeconds: 2, failureLimit: 3, stalledAfter: 4}
            operation: {idleTimeoutSeconds: 0, timeoutSeconds: 90}
            """);

    assertThat(spec.gitAuth().basicAuth().password()).isEqualTo(new SecretKey("", "git", "pass"));
    assertThat(spec.config().path("sizes").path("small").asInt()).isEqualTo(1);
    assertThat(spec.configRef()).isEqualTo(Map.of("motd", new ConfigRef("texts", "motd", true)));
    assertThat(spec.secretsRef().get("token")).isEqualTo(new SecretKey("apps", "api", "token"));
    assertThat(spec.envRefs().get("MODE")).isEqualTo(new Literal("quiet"));
    assertThat(spec.envs()).isEqualTo(List.of("common"));
    assertThat(spec.prerequisites().getFirst().requirement().succeededWithin())
        .isEqualTo(Duration.ofMinutes(90));
    assertThat(spec.prerequisites().getFirst().requirement().sameRevision()).isTrue();
    assertThat(spec.workspaceReclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
    assertThat(spec.workspaceTemplate().at("/spec/image").asString()).isEqualTo("example/pulumi:1");
    assertThat(spec.retry()).isEqualTo(new RetrySpec(2L, 3L, 4L));
    assertThat(spec.operation()).isEqualTo(new OperationSpec(0L, 90L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                           | spec.stack is missing: name the Pulumi stack, as in dev or organization/project/dev
          []                                                           | spec is a list: give an object with at least spec.stack
          {stack: 5}                                                   | spec.stack is a whole number: give a text (put numbers, true and false in quotes)
          {stack: {a: b}}                                              | spec.stack is an object: give a text (put numbers, true and false in quotes)
          {stack: d, refresh: "true"}                                  | spec.refresh is a text: give true or false, without quotes
          {stack: d, refresh: 1}                                       | spec.refresh is a whole number: give true or false, without quotes
          {stack: d, resyncFrequencySeconds: "60"}                     | spec.resyncFrequencySeconds is a text: give a whole number of at most 64 bits
          {stack: d, resyncFrequencySeconds: 1.5}                      | spec.resyncFrequencySeconds is a number with a fraction: give a whole number of at most 64 bits
          {stack: d, resyncFrequencySeconds: 99999999999999999999}     | spec.resyncFrequencySeconds is a whole number: give a whole number of at most 64 bits
          {stack: d, targets: urn}                                     | spec.targets is a text: give a list
          {stack: d, targets: [a, {b: c}]}                             | spec.targets[1] is an object: give a text (put numbers, true and false in quotes)
          {stack: d, targets: [a, null]}                               | spec.targets[1] holds null: give a value or leave it out
          {stack: d, secrets: {k: 5}}                                  | spec.secrets[k] is a whole number: give a text (put numbers, true and false in quotes)
          {stack: d, config: text}                                     | spec.config is a text: give an object
          {stack: d, workspaceTemplate: [1]}                           | spec.workspaceTemplate is a list: give an object
          {stack: d, workspaceTemplate: {spec: 1}}                     | spec.workspaceTemplate.spec is a whole number: give an object
          {stack: d, workspaceReclaimPolicy: Keep}                     | spec.workspaceReclaimPolicy is not one of the allowed values: use Retain or Delete
          {stack: d, workspaceReclaimPolicy: 1}                        | spec.workspaceReclaimPolicy is a whole number: use Retain or Delete
          {stack: d, configRef: {a: {name: c}}}                        | spec.configRef[a].key is missing: name the key in the ConfigMap
          {stack: d, gitAuth: {sshAuth: {password: 1}}}                | spec.gitAuth.sshAuth.password is a whole number: give an object
          {stack: d, envRefs: {A: {type: Env, env: {name: HOME}}}}     | spec.envRefs[A].type is Env, which would read the operator's own environment or files: use Secret or Literal
          {stack: d, secretsRef: {A: {type: FS}}}                      | spec.secretsRef[A].type is FS, which would read the operator's own environment or files: use Secret or Literal
          {stack: d, envRefs: {A: {}}}                                 | spec.envRefs[A].type is missing: use Secret or Literal
          {stack: d, envRefs: {A: {type: Vault}}}                      | spec.envRefs[A].type is not a known type: use Secret or Literal
          {stack: d, envRefs: {A: {type: Secret, secret: {name: s}}}}  | spec.envRefs[A].secret.key is missing: name the key in the Secret
          {stack: d, envRefs: {A: {type: Secret, secret: {namespace: x, name: s, key: k}}}} | spec.envRefs[A].secret.namespace is another namespace than the Stack's: copy the Secret to the Stack's namespace
          {stack: d, gitAuth: {accessToken: {type: Literal, literal: {value: x}}}} | spec.gitAuth.accessToken.type is Literal: keep git credentials in a Secret
          {stack: d, gitAuth: {accessToken: {type: Env, env: {name: TOKEN}}}} | spec.gitAuth.accessToken.type is Env, which would read the operator's own environment or files: use Secret or Literal
          {stack: d, gitAuth: {sshAuth: {sshPrivateKey: {type: FS, filesystem: {path: /key}}}}} | spec.gitAuth.sshAuth.sshPrivateKey.type is FS, which would read the operator's own environment or files: use Secret or Literal
          {stack: d, gitAuth: {githubApp: {appID: {type: Secret, secret: {name: a, key: b}}}}} | spec.gitAuth.githubApp.installationID is missing: refer to a Secret, or leave the whole group out
          {stack: d, gitAuthSecret: {name: s}}                         | spec.gitAuthSecret is an object: give a text (put numbers, true and false in quotes)
          {stack: d, gitAuth: {basicAuth: {userName: {type: Secret, secret: {name: a, key: b}}}}} | spec.gitAuth.basicAuth.password is missing: refer to a Secret, or leave the whole group out
          {stack: d, prerequisites: [{}]}                              | spec.prerequisites[0].name is missing: name the other Stack
          {stack: d, prerequisites: [{name: a, requirement: {succeededWithinDuration: 1 day}}]} | spec.prerequisites[0].requirement.succeededWithinDuration is not a positive duration: write it as 90s, 15m or 1h30m
          {stack: d, prerequisites: [{name: a, requirement: {succeededWithinDuration: -5m}}]} | spec.prerequisites[0].requirement.succeededWithinDuration is not a positive duration: write it as 90s, 15m or 1h30m
          {stack: d, projectRepo: r}                                   | spec.branch is missing: with spec.projectRepo give spec.branch or spec.commit
          {stack: d, projectRepo: r, branch: b, commit: c}             | spec.commit is given beside spec.branch: keep only one of them
          {stack: d, projectRepo: r, branch: b, programRef: {name: p}} | spec.programRef is a second source beside spec.projectRepo: keep only one of them
          {stack: d, programRef: {name: p}, workspaceTemplate: {spec: {local: {dir: x}}}} | spec.workspaceTemplate.spec.local is a second source beside spec.programRef: keep only one of them
          {stack: d, workspaceTemplate: {spec: {git: {url: x}, flux: {url: y}}}} | spec.workspaceTemplate.spec.flux is a second source beside spec.workspaceTemplate.spec.git: keep only one of them
          {stack: d, fluxSource: {sourceRef: {kind: GitRepository, name: n}}} | spec.fluxSource.sourceRef.apiVersion is missing: copy it from the Flux object
          """)
  void aWrongSpecIsRefusedByPathKindAndRemedy(String yaml, String message) {
    SpecInvalid refusal = catchThrowableOfType(SpecInvalid.class, () -> Specs.read(yaml));

    assertThat(refusal).hasMessage(message);
    assertThat(message).startsWith(refusal.path());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {stack: d, refresh: canary-7f3a}
          {stack: d, secrets: {k: [canary-7f3a]}}
          {stack: d, workspaceReclaimPolicy: canary-7f3a}
          {stack: d, envRefs: {A: {type: canary-7f3a}}}
          {stack: d, prerequisites: [{name: a, requirement: {succeededWithinDuration: canary-7f3a}}]}
          """)
  void aRefusalNeverQuotesTheValue(String yaml) {
    Throwable refusal = catchThrowableOfType(SpecInvalid.class, () -> Specs.read(yaml));

    assertThat(refusal).isNotNull().hasNoCause();
    assertThat(refusal.toString()).doesNotContain("canary");
  }

  @Test
  void textFormsHideValues() throws SpecInvalid {
    StackSpec spec =
        Specs.read(
            "{stack: d, secrets: {a: canary}, envRefs: {A: {type: Literal, literal: {value: canary}}}}");

    assertThat(spec.toString()).doesNotContain("canary");
    assertThat(spec.envRefs().toString()).doesNotContain("canary");
  }
}
