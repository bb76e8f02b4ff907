package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import dev.reprise.cli.ops.LogFormat;
import dev.reprise.cli.ops.Logs;
import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.spec.Policy;
import dev.reprise.watcher.Watcher;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a watcher tells of itself and of the Stacks, over HTTP. Temporal is away all the time. */
class WatcherOpsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final EmbeddedKubernetes cluster = EmbeddedKubernetes.start();
  private final KubernetesClient kubernetes = cluster.client();
  private final HttpClient http = HttpClient.newHttpClient();
  private final OpsOptions options = new OpsOptions();
  private final Ops ops = start();

  @TempDir Path folder;
  private Target target = nowhere(Path.of("."));
  private Watcher watcher = target.watcher(Policy.DEFAULTS, true);

  @BeforeEach
  void watch() {
    target = nowhere(folder);
    watcher = target.watcher(Policy.DEFAULTS, true);
    ops.add(target.temporal());
    ops.add(watcher);
  }

  private Ops start() {
    options.metrics = "127.0.0.1:0";
    options.health = "127.0.0.1:0";
    return Ops.start(options, new Logs(new LoggerContext(), LogFormat.TEXT), Map.of(), true);
  }

  /** Port 1 is nobody's. */
  private Target nowhere(Path state) {
    return new Target(
        kubernetes,
        TemporalConnection.to("127.0.0.1:1", Map.of(), ops.metrics().scope()),
        "c1",
        state);
  }

  @AfterEach
  void close() {
    watcher.close();
    ops.close();
    target.close();
    cluster.close();
  }

  @Test
  void aStackThatFailsHasASeriesUntilItRecoversOrIsGone() {
    kubernetes.resource(Crds.stack()).create();
    create("web");
    create("db");
    create("idle");
    status("web", "RetryingAfterFailure", failed());
    status("db", "RetryingAfterFailure", failed());
    watcher.start();
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(series("stacks_"))
                    .containsExactlyInAnyOrder(
                        "stacks_active 3.0",
                        "stacks_failing{name=\"db\",namespace=\"default\"} 1.0",
                        "stacks_failing{name=\"web\",namespace=\"default\"} 1.0",
                        "stacks_reconciling{name=\"db\",namespace=\"default\"} 1.0",
                        "stacks_reconciling{name=\"web\",namespace=\"default\"} 1.0"));
    assertThat(scrape())
        .contains("reprise_stacks{condition=\"reconciling\"} 2.0")
        .contains("reprise_stacks{condition=\"none\"} 1.0")
        .contains("reprise_stacks_cooling_down 2.0")
        .contains("reprise_stacks_late 0.0")
        .contains("reprise_operations_running{kind=\"up\"} 0.0")
        .contains("programs_active 0.0")
        .contains("reprise_temporal_reachable 0.0");
    assertThat(value("reprise_next_attempt_seconds")).isBetween(3_000.0, 3_600.0);
    await().atMost(LONG).until(() -> value("reprise_watcher_unreachable_total") > 0);
    assertThat(value("reprise_watcher_queued")).isPositive();

    status("web", "", Map.of("state", "succeeded", "name", "web-2"));
    stacks("db").delete();
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(series("stacks_")).containsExactly("stacks_active 2.0"));
    assertThat(scrape()).contains("reprise_stacks_cooling_down 0.0").contains("seconds NaN");
  }

  @Test
  void aWatcherWhoseApiServerIsAwayIsAliveButNotReadyAndSaysWhy() {
    watcher.start();
    await().atMost(LONG).until(() -> get(OpsOptions.HEALTH, "/readyz").statusCode() == 503);
    assertThat(get(OpsOptions.HEALTH, "/readyz").body())
        .contains("[-]watch failed: Stacks cannot be watched")
        .contains("[-]temporal failed: Temporal at 127.0.0.1:1 does not answer: ")
        .endsWith("readyz check failed\n");
    assertThat(get(OpsOptions.HEALTH, "/healthz").statusCode()).isEqualTo(200);

    kubernetes.resource(Crds.stack()).create();
    await()
        .atMost(LONG)
        .until(() -> get(OpsOptions.HEALTH, "/readyz").body().contains("[+]watch ok"));
    cluster.close();
    await()
        .atMost(LONG)
        .until(() -> get(OpsOptions.HEALTH, "/readyz").body().contains("[-]watch failed"));
    assertThat(get(OpsOptions.HEALTH, "/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsNotServedIsNotFound() {
    assertThat(get(OpsOptions.METRICS, "/healthz").statusCode()).isEqualTo(404);
    assertThat(get(OpsOptions.METRICS, "/metricsx").statusCode()).isEqualTo(404);
    assertThat(get(OpsOptions.HEALTH, "/metrics").statusCode()).isEqualTo(404);
  }

  private static Map<String, Object> failed() {
    return Map.of("state", "failed", "name", "web-1");
  }

  private void create(String name) {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion("pulumi.com/v1");
    stack.setKind("Stack");
    stack.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName(name).build());
    stack.setAdditionalProperty("spec", Map.of("stack", "dev"));
    kubernetes.resource(stack).create();
  }

  /** Shows that it is in order, or why not. */
  private void status(String name, String trouble, Map<String, Object> lastUpdate) {
    boolean ready = trouble.isEmpty();
    Map<String, Object> condition =
        Map.of(
            "type", ready ? "Ready" : "Reconciling",
            "status", "True",
            "reason", ready ? "ProcessingCompleted" : trouble,
            "message", "",
            "lastTransitionTime", "2026-12-01T12:00:00Z");
    Map<String, Object> retry =
        ready
            ? Map.of("failures", 0)
            : Map.of("failures", 1, "nextAttemptTime", Instant.now().plusSeconds(3_600).toString());
    stacks(name)
        .editStatus(
            stack -> {
              stack.setAdditionalProperty(
                  "status",
                  Map.of(
                      "conditions", List.of(condition),
                      "lastUpdate", lastUpdate,
                      "retry", retry));
              return stack;
            });
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> stacks(String name) {
    return kubernetes
        .genericKubernetesResources(StackList.TYPE)
        .inNamespace("default")
        .withName(name);
  }

  private List<String> series(String prefix) {
    return scrape().lines().filter(line -> line.startsWith(prefix)).toList();
  }

  private double value(String name) {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  private String scrape() {
    HttpResponse<String> response = get(OpsOptions.METRICS, "/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private HttpResponse<String> get(String setting, String path) {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ops.port(setting) + path))
              .timeout(LONG)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
