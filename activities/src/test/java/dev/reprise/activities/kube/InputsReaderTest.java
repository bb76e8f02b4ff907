package dev.reprise.activities.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
  }
}
