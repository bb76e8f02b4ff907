package dev.reprise.activities.observe;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.StackRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Stacks on an API server, observed at a fixed time. */
@Timeout(60)
abstract class ObserveFixture {
  static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  static final String CANARY = "canary-5e0b";

  Cluster cluster = Cluster.start();
  ObserveStack observe = observing(cluster);

  @BeforeEach
  void requestsOfTheTestOnly() {
    cluster.server.requests().reset();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  int names;

  String paused(String value) {
    return observe
        .observe(
            cluster.stack(
                "p" + names++, Map.of("stack", "dev"), Map.of("reprise.dev/paused", value)))
        .pause();
  }

  void update(StackRef stack, long generation, String state, String time) {
    cluster.patchStatus(
        stack,
        "{\"status\":{\"lastUpdate\":{\"name\":\"u-1\",\"type\":\"up\",\"generation\":%d,\"state\":\"%s\",\"lastResyncTime\":\"%s\",\"failures\":0}}}"
            .formatted(generation, state, time));
  }

  static Map<String, Object> local(Path folder) {
    return Map.of(
        "stack",
        "dev",
        "workspaceTemplate",
        Map.of("spec", Map.of("local", Map.of("dir", folder.toString()))));
  }

  static Map<String, Object> secretRef(String name, String key) {
    return Map.of(
        "stack",
        "dev",
        "secretsRef",
        Map.of("pw", Map.of("type", "Secret", "secret", Map.of("name", name, "key", key))));
  }

  static ObserveStack observing(Cluster cluster) {
    return observing(cluster, true);
  }

  static ObserveStack observing(Cluster cluster, boolean localDisk) {
    return new ObserveStack(
        StackObjects.limited(cluster.client),
        new StackReader(Policy.DEFAULTS),
        new ObserveStack.Settings(
            Policy.DEFAULTS,
            List.of("StackPhase"),
            "k1",
            new SecretKeySpec("a key of the test".getBytes(StandardCharsets.UTF_8), "HmacSHA256"),
            localDisk),
        () -> NOW);
  }
}
