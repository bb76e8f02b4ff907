package dev.reprise.stack.spec;

import static dev.reprise.stack.spec.Reference.Kind.CONFIG_MAP;
import static dev.reprise.stack.spec.Reference.Kind.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReferenceTest {
  @Test
  void whatAnOperationIsGivenIsListedOnceAndInOrder() throws SpecInvalid {
    StackSpec spec =
        Specs.read(
            """
            stack: dev
            accessTokenSecret: pulumi
            configRef: {motd: {name: texts, key: motd}, again: {name: texts, key: motd}}
            envs: [common]
            envSecrets: [keys]
            secretsRef: {token: {type: Secret, secret: {name: api, key: token}}}
            envRefs:
              A: {type: Secret, secret: {name: api, key: a}}
              B: {type: Literal, literal: {value: b}}
            gitAuth: {accessToken: {type: Secret, secret: {name: git, key: token}}}
            """);

    assertThat(Reference.of(spec))
        .containsExactly(
            new Reference(CONFIG_MAP, "common", ""),
            new Reference(CONFIG_MAP, "texts", "motd"),
            new Reference(SECRET, "api", "a"),
            new Reference(SECRET, "api", "token"),
            new Reference(SECRET, "keys", ""),
            new Reference(SECRET, "pulumi", "accessToken"));
  }

  @Test
  void aSpecOnItsOwnRefersToNothing() throws SpecInvalid {
    assertThat(Reference.of(Specs.read("{stack: dev, secrets: {a: b}}"))).isEmpty();
  }
}
