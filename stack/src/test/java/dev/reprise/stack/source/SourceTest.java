package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.FluxSource.SourceRef;
import dev.reprise.stack.spec.GitAuth;
import dev.reprise.stack.spec.ResourceRef.SecretKey;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.SpecReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SourceTest {
  private static Source source(String fields) throws SpecInvalid {
    JsonNode object =
        new KubernetesSerialization().unmarshal("spec: {stack: d, " + fields + "}", JsonNode.class);
    return Source.of(SpecReader.read(object.path("spec"), "apps"));
  }

  @Test
  void everyKindIsRecognised() throws SpecInvalid {
    assertThat(source("")).isEqualTo(new Source.None());
    assertThat(
            source("projectRepo: u, branch: main, repoDir: infra, shallow: true, gitAuthSecret: s"))
        .isEqualTo(new Source.Git("u", "main", "infra", true, GitAuth.NONE, "s"));
    assertThat(source("projectRepo: u, commit: abc"))
        .isEqualTo(new Source.Git("u", "abc", "", false, GitAuth.NONE, ""));
    assertThat(source("fluxSource: {dir: d, sourceRef: {apiVersion: a/v1, kind: Bucket, name: n}}"))
        .isEqualTo(new Source.Flux(new SourceRef("a/v1", "Bucket", "n"), "d"));
    assertThat(source("programRef: {name: p}")).isEqualTo(new Source.Program("p"));
    assertThat(source("workspaceTemplate: {spec: {local: {dir: ./app}}}"))
        .isEqualTo(new Source.Local("./app"));
    assertThat(source("workspaceTemplate: {spec: {flux: {url: u, digest: 'sha256:1', dir: d}}}"))
        .isEqualTo(new Source.Archive("u", "sha256:1", "d"));
  }

  @Test
  void gitOfTheWorkspaceBringsItsOwnCredentials() throws SpecInvalid {
    Source source =
        source(
            "workspaceTemplate: {spec: {git: {url: u, ref: main, auth: {token: {name: s, key: k}}}}}");

    assertThat(source)
        .isInstanceOfSatisfying(
            Source.Git.class,
            git -> {
              assertThat(git.ref()).isEqualTo("main");
              assertThat(git.auth().accessToken()).isEqualTo(new SecretKey("", "s", "k"));
              assertThat(git.auth().basicAuth()).isEqualTo(GitAuth.NONE.basicAuth());
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          projectRepo: 'https://u:p@Host/a/b.git', branch: m | projectRepo: 'git@host:a/b', branch: m, repoDir: d
          projectRepo: 'https://host/a/b/', commit: c | workspaceTemplate: {spec: {git: {url: 'https://host/a/b', ref: c}}}
          fluxSource: {dir: d, sourceRef: {apiVersion: a/v1, kind: Bucket, name: n}} | fluxSource: {sourceRef: {apiVersion: a/v1, kind: Bucket, name: n}}
          programRef: {name: p} | programRef: {name: p}
          workspaceTemplate: {spec: {local: {dir: /a}}} | workspaceTemplate: {spec: {local: {dir: /a}}}
          workspaceTemplate: {spec: {flux: {url: u, digest: '1'}}} | workspaceTemplate: {spec: {flux: {url: v, digest: '1'}}}
          refresh: true | preview: true
          """)
  void twoSourcesThatPointAtTheSameThingMoveTogether(String one, String other) throws SpecInvalid {
    assertThat(source(one).movesWith(source(other))).isTrue();
    assertThat(source(other).movesWith(source(one))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          projectRepo: 'https://host/a/b', branch: m | projectRepo: 'https://host/a/b', branch: n
          projectRepo: 'https://host/a/b', branch: m | projectRepo: 'https://host/a/c', branch: m
          projectRepo: 'https://host/a/b', branch: m | programRef: {name: p}
          fluxSource: {sourceRef: {apiVersion: a/v1, kind: Bucket, name: n}} | fluxSource: {sourceRef: {apiVersion: a/v1, kind: Bucket, name: m}}
          programRef: {name: p} | programRef: {name: q}
          workspaceTemplate: {spec: {local: {dir: /a}}} | workspaceTemplate: {spec: {local: {dir: /b}}}
          workspaceTemplate: {spec: {flux: {url: u, digest: '1'}}} | workspaceTemplate: {spec: {flux: {url: u, digest: '2'}}}
          refresh: true | programRef: {name: p}
          """)
  void othersDoNot(String one, String other) throws SpecInvalid {
    assertThat(source(one).movesWith(source(other))).isFalse();
    assertThat(source(other).movesWith(source(one))).isFalse();
  }

  @Test
  void aCommitTellsAProgramWhereverItComesFromButACountOfVersionsDoesNot() throws SpecInvalid {
    Source git = source("projectRepo: 'https://host/a', branch: m");
    Source program = source("programRef: {name: p}");

    assertThat(git.comparableWith(source("projectRepo: 'https://host/b', branch: n"))).isTrue();
    assertThat(program.comparableWith(source("programRef: {name: p}"))).isTrue();
    assertThat(program.comparableWith(source("programRef: {name: q}"))).isFalse();
  }

  @Test
  void anArtifactIsReadFromTheStatus() throws SourceUnavailable {
    assertThat(
            Artifact.of(
                resource(
                    "status: {artifact: {revision: main@sha1:1, digest: 'sha256:2', url: u}}")))
        .isEqualTo(new Artifact("main@sha1:1", "sha256:2", "u"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "status: 1",
        "status: {}",
        "status: {artifact: {revision: r}}",
        "status: {artifact: [1]}"
      })
  void anObjectWithoutAnArtifactIsNamed(String status) {
    assertThatThrownBy(() -> Artifact.of(resource(status)))
        .isInstanceOf(SourceUnavailable.class)
        .hasMessage("GitRepository app offers no artifact yet: look at its own conditions");
  }

  @Test
  void theRevisionOfAProgramIsItsGeneration() {
    assertThat(Artifact.programRevision(resource(""))).isEqualTo("5");
  }

  private static GenericKubernetesResource resource(String fields) {
    return new KubernetesSerialization()
        .unmarshal(
            "apiVersion: a/v1\nkind: GitRepository\nmetadata: {name: app, generation: 5}\n"
                + fields,
            GenericKubernetesResource.class);
  }
}
