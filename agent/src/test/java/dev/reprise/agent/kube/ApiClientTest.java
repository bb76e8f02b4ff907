package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.reprise.agent.TlsServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS, as every real API server is asked. */
final class ApiClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final TlsServer tls;

  ApiClientTest(@TempDir Path keys) {
    tls = new TlsServer(keys, "{\"status\": {}}".getBytes(StandardCharsets.UTF_8), 201);
  }

  @BeforeEach
  void token() throws Exception {
    Files.writeString(folder.resolve("token"), "own");
  }

  @AfterEach
  void stop() {
    tls.close();
  }

  private ApiClient client(URI server) {
    return new ApiClient(
        new ClusterApi(server, folder.resolve("token"), folder.resolve("ca.crt"), "team/runner"),
        Runnable::run);
  }

  private static int ask(ApiClient client) {
    return client
        .post("/apis/x", JsonNodeFactory.instance.objectNode())
        .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
        .join()
        .status();
  }

  private void trust(String name) throws Exception {
    Files.copy(
        tls.certificate(name), folder.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void onlyTheClustersCertificatesAreTrustedAndTheyAreReadAnewAfterAMismatch() throws Exception {
    tls.makeKey("old");
    ApiClient client = client(tls.serve("new"));
    trust("old");

    assertThatThrownBy(() -> ask(client))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(Exception.class)
        .hasCauseInstanceOf(SSLException.class);

    trust("new");
    assertThat(ask(client)).isEqualTo(201);
  }

  @Test
  void aFileWithoutCertificatesIsAFailureAndNoCrash() throws Exception {
    ApiClient client = client(tls.serve("new"));
    Files.writeString(folder.resolve("ca.crt"), "nothing");

    assertThatThrownBy(() -> ask(client)).isInstanceOf(CompletionException.class);
  }
}
