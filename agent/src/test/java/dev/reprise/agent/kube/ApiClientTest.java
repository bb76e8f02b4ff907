package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS, as every real API server is asked. */
final class ApiClientTest {
  private static final String PASSWORD = "changeit";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final List<HttpsServer> servers = new ArrayList<>();

  @BeforeEach
  void token() throws Exception {
    Files.writeString(folder.resolve("token"), "own");
  }

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  private void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Collections.addAll(command, arguments);
    Process tool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(tool.waitFor()).isZero();
  }

  /** Makes a key for a server at 127.0.0.1 and {@code <name>.crt} beside it. */
  private Path keyStore(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    keytool(
        ("-genkeypair -alias k -keyalg EC -dname CN=api -ext san=ip:127.0.0.1 -storetype PKCS12"
                + " -storepass "
                + PASSWORD
                + " -keystore "
                + store)
            .split(" ", -1));
    keytool(
        ("-exportcert -rfc -alias k -storepass "
                + PASSWORD
                + " -keystore "
                + store
                + " -file "
                + folder.resolve(name + ".crt"))
            .split(" ", -1));
    return store;
  }

  private URI serve(Path keyStore) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = "{\"status\": {}}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(201, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  private ApiClient client(URI server) {
    return new ApiClient(
        new ClusterApi(server, folder.resolve("token"), folder.resolve("ca.crt"), "team/runner"),
        Runnable::run);
  }

  private static int ask(ApiClient client) {
    return client
        .post("/apis/x", JsonNodeFactory.instance.objectNode())
        .orTimeout(LIMIT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
        .join()
        .status();
  }

  private void trust(String name) throws Exception {
    Files.copy(
        folder.resolve(name + ".crt"),
        folder.resolve("ca.crt"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void onlyTheClustersCertificatesAreTrustedAndTheyAreReadAnewAfterAMismatch() throws Exception {
    Path old = keyStore("old");
    assertThat(old).exists();
    ApiClient client = client(serve(keyStore("new")));
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
    ApiClient client = client(serve(keyStore("new")));
    Files.writeString(folder.resolve("ca.crt"), "nothing");

    assertThatThrownBy(() -> ask(client)).isInstanceOf(CompletionException.class);
  }
}
