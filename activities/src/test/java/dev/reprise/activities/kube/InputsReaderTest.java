package dev.reprise.activities.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class InputsReaderTest {
  private final Cluster cluster = Cluster.bare();
  private final InputsReader reader = new InputsReader(cluster.client);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aDeletionGetsWhatIsThereOfItsInputs() throws Exception {
    cluster.secret("kept", Map.of("password", "canary", "A", "a"));
    StackSpec spec =
        SpecReader.read(
            JsonMapper.shared()
                .readTree(
                    """
                    {"stack": "dev",
                     "config": {"region": "eu"},
                     "configRef": {"size": {"name": "gone", "key": "size"}},
                     "secretsRef": {
                       "pw": {"type": "Secret", "secret": {"name": "kept", "key": "password"}},
                       "no": {"type": "Secret", "secret": {"name": "kept", "key": "none"}}},
                     "envs": ["gone"],
                     "envSecrets": ["gone", "kept"],
                     "accessTokenSecret": "gone"}
                    """),
            Cluster.NAMESPACE);

    assertThatThrownBy(() -> reader.read(spec, Cluster.NAMESPACE)).isInstanceOf(InputMissing.class);
    StackInputs present = reader.readPresent(spec, Cluster.NAMESPACE);
    assertThat(present.config()).extracting(ConfigValue::key).containsExactly("region", "pw");
    assertThat(present.environment())
        .containsOnly(Map.entry("password", "canary"), Map.entry("A", "a"));
    assertThat(present.secrets()).contains("canary");
    assertThat(present.secretVariables()).containsExactlyInAnyOrder("password", "A");
  }

  @Test
  void everyFieldBringsItsPartInTheOrderInWhichALaterOneWins() throws Exception {
    cluster.configMap("texts", Map.of("size", "{\"small\": 1}", "A", "map", "B", "map"));
    cluster.secret("keys", Map.of("password", "hidden", "A", "secret", "accessToken", "pul-1"));
    StackInputs inputs =
        reader.read(
            SpecReader.read(
                JsonMapper.shared()
                    .readTree(
                        """
                        {"stack": "dev",
                         "secretsRef": {
                           "pw": {"type": "Secret", "secret": {"name": "keys", "key": "password"}},
                           "open": {"type": "Literal", "literal": {"value": "lit"}}},
                         "secrets": {"plain": "old"},
                         "configRef": {"size": {"name": "texts", "key": "size", "json": true},
                                       "text": {"name": "texts", "key": "size"}},
                         "config": {"region": "eu", "many": [1, 2]},
                         "envs": ["texts"],
                         "envSecrets": ["keys"],
                         "envRefs": {"A": {"type": "Literal", "literal": {"value": "ref"}}},
                         "backend": "file:///states",
                         "accessTokenSecret": "keys"}
                        """),
                Cluster.NAMESPACE),
            Cluster.NAMESPACE);

    assertThat(inputs.config())
        .extracting(item -> item.key() + "=" + item.value() + (item.secret() ? " secret" : ""))
        .containsExactly(
            "many=[1,2]",
            "region=\"eu\"",
            "size={\"small\":1}",
            "text=\"{\\\"small\\\": 1}\"",
            "plain=\"old\" secret",
            "open=\"lit\" secret",
            "pw=\"hidden\" secret");
    assertThat(inputs.environment())
        .containsEntry("A", "ref")
        .containsEntry("B", "map")
        .containsEntry("PULUMI_BACKEND_URL", "file:///states")
        .containsEntry("PULUMI_ACCESS_TOKEN", "pul-1");
    assertThat(inputs.secrets()).contains("hidden", "lit", "old", "secret", "pul-1");
    assertThat(inputs.secretVariables())
        .contains("A", "password", "PULUMI_ACCESS_TOKEN")
        .doesNotContain("B", "size");
  }

  @Test
  void thePasswordInABackendsAddressIsASecret() throws Exception {
    StackInputs inputs = read("postgres://pulumi:p%40ss%2fword@db:5432/states?sslmode=disable");

    assertThat(inputs.secrets()).containsExactlyInAnyOrder("p%40ss%2fword", "p@ss/word");
    assertThat(inputs.secretVariables()).containsExactly("PULUMI_BACKEND_URL");
    assertThat(read("postgres://pulumi:100%@db/states").secrets()).containsExactly("100%");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"file:///var/states", "s3://bucket/a:b@c", "https://me@example.com:8080/x"})
  void aBackendsAddressWithoutAPasswordIsNoSecret(String backend) throws Exception {
    StackInputs inputs = read(backend);

    assertThat(inputs.secrets()).isEmpty();
    assertThat(inputs.secretVariables()).isEmpty();
    assertThat(inputs.environment()).containsEntry("PULUMI_BACKEND_URL", backend);
  }

  private StackInputs read(String backend) throws Exception {
    return reader.read(
        SpecReader.read(
            JsonMapper.shared().createObjectNode().put("stack", "dev").put("backend", backend),
            Cluster.NAMESPACE),
        Cluster.NAMESPACE);
  }
}
