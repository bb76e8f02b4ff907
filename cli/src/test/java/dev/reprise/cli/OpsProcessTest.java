package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The options by which a process is watched, on the command line and in the environment. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OpsProcessTest {
  private static final Pattern HEALTH = Pattern.compile("--health-address (127.0.0.1:\\d+)");

  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void aWorkerWithoutTemporalIsAliveNotReadyAndLogsObjectsAsItsEnvironmentSays() throws Exception {
    sandbox =
        new Sandbox(folder)
            .with("REPRISE_HEALTH_ADDRESS", "127.0.0.1:0")
            .with("REPRISE_LOG_FORMAT", "json")
            .with("TEMPORAL_ADDRESS", "127.0.0.1:1");
    RepriseProcess worker = sandbox.start("worker", "--cluster", "c1");
    worker.awaitLine("Temporal at 127.0.0.1:1 does not answer yet");

    Matcher address = HEALTH.matcher(worker.output());
    assertThat(address.find()).isTrue();
    HttpResponse<String> ready = get(address.group(1), "/readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body())
        .contains("[-]pollers failed: not started\n")
        .contains("[-]temporal failed: ");
    assertThat(get(address.group(1), "/healthz").statusCode()).isEqualTo(200);
    assertThat(
            worker
                .output()
                .lines()
                .filter(line -> line.startsWith("{"))
                .map(JsonMapper.shared()::readTree))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.get("formattedMessage").asString()).isNotEmpty());
    assertThat(worker.output()).doesNotContain("--metrics-address");
  }

  @ParameterizedTest
  @CsvSource({
    "--metrics-address,nowhere,--metrics-address \"nowhere\" is no address of this machine",
    "--health-address,:99999,--health-address \":99999\" is no address of this machine",
    "--log-level,loud,'--log-level \"loud\": use error, warn, info, debug or trace'"
  })
  void aSettingThatCannotBeUsedIsNamed(String option, String value, String problem)
      throws Exception {
    sandbox = new Sandbox(folder);
    RepriseProcess watcher = sandbox.start("watcher", "--cluster", "c1", option, value);
    assertThat(watcher.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(watcher.output()).contains("reprise: " + problem);
  }

  private static HttpResponse<String> get(String address, String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      // The probe of Temporal has its first answer some moments after the start.
      await().until(() -> !send(http, address, "/readyz").body().contains("not asked yet"));
      return send(http, address, path);
    }
  }

  private static HttpResponse<String> send(HttpClient http, String address, String path)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
