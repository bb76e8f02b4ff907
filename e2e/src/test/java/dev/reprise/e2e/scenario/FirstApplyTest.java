package dev.reprise.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.GitRepository;
import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@ExtendWith(SharedWorld.class)
class FirstApplyTest {

  @Test
  @Tag("smoke")
  void aPulumiProgramIsAppliedAndItsOutputsAreInASecret(World world) {
    Place place = world.place("first");
    GitRepository program =
        place.repository(
            Map.of(
                "Pulumi.yaml",
                """
                name: greeting
                runtime: yaml
                config:
                  name: {type: string}
                  key: {type: string}
                outputs:
                  text: Hello, ${name}
                  key: ${key}
                """));
    place
        .stacks()
        .apply(
            """
        apiVersion: v1
        kind: Secret
        metadata: {name: keys}
        stringData: {key: s3cret-canary}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data: {name: config map}
        """);
    StackHandle stack =
        place.apply(
            "greeting",
            program,
            """
            configRef:
              greeting:name: {name: settings, key: name}
            secretsRef:
              greeting:key: {type: Secret, secret: {name: keys, key: key}}
            """);

    stack.awaitReady();

    assertThat(stack.status("lastUpdate", "state")).contains("succeeded");
    assertThat(stack.status("outputs", "text")).contains("Hello, config map");
    assertThat(stack.status("outputs", "key")).contains("[secret]");
    Secret outputs =
        place.secret(stack.status("lastUpdate", "name").orElseThrow() + "-stack-outputs");
    assertThat(decoded(outputs, "text")).isEqualTo("\"Hello, config map\"");
    assertThat(decoded(outputs, "key")).isEqualTo("\"s3cret-canary\"");
  }

  private static String decoded(Secret secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
  }
}
