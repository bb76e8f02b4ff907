package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import dev.reprise.activities.context.ActivityContext;
import dev.reprise.cli.ops.LogFormat;
import dev.reprise.cli.ops.Logs;
import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.dev.temporal.EmbeddedTemporal;
import dev.reprise.stack.crd.Crds;
import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a worker tells of the attempts it makes, in its metrics and its log. */
@Timeout(180)
class WorkerOpsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final FakeOperations operations =
      new FakeOperations(InstantSource.system(), Outcome.OPERATION_FAILED);
  private final EmbeddedKubernetes cluster = EmbeddedKubernetes.start();
  private final KubernetesClient kubernetes = cluster.client();
  private final EmbeddedTemporal temporal = EmbeddedTemporal.start();
  private final LoggerContext logging = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final Ops ops = start();
  private final TemporalConnection connection =
      TemporalConnection.to(temporal.target(), Map.of(), ops.metrics().scope());

  @TempDir Path folder;

  private Ops start() {
    Logs logs = new Logs(logging, LogFormat.JSON);
    logs.to(log);
    OpsOptions options = new OpsOptions();
    options.metrics = "127.0.0.1:0";
    options.health = "127.0.0.1:0";
    return Ops.start(options, logs, Map.of(), true);
  }

  @BeforeEach
  void install() {
    kubernetes.resource(Crds.stack()).create();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    ops.close();
    kubernetes.close();
    temporal.close();
    cluster.close();
    logging.reset();
    new ContextInitializer(logging).autoConfig();
  }

  @Test
  void attemptsAreCountedAndEveryLineTellsItsStackAttemptAndRun() {
    // Makes an activity log something.
    cluster.faults().answer(1, request -> request.is("create", "events"), 403);
    operations.hold(true);
    try (StackWorker worker = worker()) {
      worker.start();
      ops.add(connection);
      ops.add(worker);
      StackRef stack = stack();
      await().atMost(LONG).until(() -> scrape().contains("followed{kind=\"up\"} 1.0"));
      operations.hold(false);
      await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(series("reprise_attempts_total"))
                      .singleElement()
                      .asString()
                      .contains("kind=\"up\"", "outcome=\"UpdateFailed\"")
                      .endsWith(" 1.0"));
      await().atMost(LONG).until(() -> !series("temporal_worker_task_slots_used").isEmpty());
      assertThat(series("temporal_worker_task_slots_available"))
          .anyMatch(line -> line.contains("reprise-test-operations"));
      assertThat(series("reprise_failures_counted_total"))
          .singleElement()
          .asString()
          .endsWith(" 1.0");
      assertThat(series("reprise_operation_duration_seconds_count"))
          .singleElement()
          .asString()
          .endsWith(" 1");
      assertThat(series("reprise_operation_duration_seconds_bucket")).hasSize(10);
      assertThat(scrape()).contains("followed{kind=\"up\"} 0.0").doesNotContain(stack.uid());
      await().atMost(LONG).until(() -> get(OpsOptions.HEALTH, "/readyz").statusCode() == 200);

      JsonNode phase = line(text -> text.contains("CoolingDown"));
      assertThat(phase.get("loggerName").asString()).endsWith("StackWorkflow");
      assertAbout(stack, phase);
      JsonNode activity = line(text -> text.contains("was not emitted"));
      assertThat(activity.get("mdc").get("ActivityType").asString()).isEqualTo("Report");
      assertAbout(stack, activity);
    }
    assertThat(get(OpsOptions.HEALTH, "/readyz").body()).contains("[-]pollers failed: not started");
    assertThat(get(OpsOptions.HEALTH, "/healthz").body()).contains("[-]worker failed: it has shut");
  }

  @Test
  void whileTemporalIsAwayThePollersDoNotFillTheLog() {
    try (StackWorker worker = worker()) {
      worker.start();
      ops.add(connection);
      await().atMost(LONG).until(() -> get(OpsOptions.HEALTH, "/readyz").statusCode() == 200);
      temporal.close();
      await().atMost(LONG).until(() -> failedPolls() > 40);
      assertThat(lines()).noneMatch(text -> text.contains("in poller thread"));
      assertThat(lines().stream().filter(text -> text.contains("Temporal does not answer")))
          .hasSizeBetween(1, 3);
      await()
          .atMost(LONG)
          .until(() -> get(OpsOptions.HEALTH, "/readyz").body().contains("[-]temporal failed"));
      assertThat(get(OpsOptions.HEALTH, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  /** As the SDK counts them, one kind of failure in one series. */
  private double failedPolls() {
    return series("temporal_long_request_failure_total").stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void assertAbout(StackRef stack, JsonNode line) {
    JsonNode fields = line.get("mdc");
    assertThat(fields.get("stack").asString()).isEqualTo("default/web");
    assertThat(fields.get("generation").asString()).isEqualTo("1");
    assertThat(fields.get("attempt").asString()).isEqualTo("1");
    assertThat(fields.get("WorkflowId").asString()).isEqualTo(WorkflowIds.of(stack));
    assertThat(fields.get("RunId").asString()).isNotEmpty();
  }

  private StackWorker worker() {
    ActivityContext context = ops.activities();
    return new StackWorker(
        connection.client(), "test", operations.with(kubernetes, folder), true, context);
  }

  private StackRef stack() {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion("pulumi.com/v1");
    stack.setKind("Stack");
    stack.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("web").build());
    stack.setAdditionalProperty("spec", Map.of("stack", "dev"));
    StackRef ref =
        new StackRef("default", "web", kubernetes.resource(stack).create().getMetadata().getUid());
    new WorkflowStarter(connection.client(), "test", LONG).wake(ref, "not taken up yet");
    return ref;
  }

  private JsonNode line(Predicate<String> which) {
    await().atMost(LONG).until(() -> lines().stream().anyMatch(which));
    return lines().stream()
        .filter(which)
        .map(JsonMapper.shared()::readTree)
        .findFirst()
        .orElseThrow();
  }

  private List<String> lines() {
    return log.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> series(String name) {
    return scrape().lines().filter(line -> line.startsWith(name + "{")).toList();
  }

  private String scrape() {
    return get(OpsOptions.METRICS, "/metrics").body();
  }

  private HttpResponse<String> get(String setting, String path) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ops.port(setting) + path))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
