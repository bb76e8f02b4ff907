package dev.reprise.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.agent.TlsServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificatesTest {
  @TempDir Path folder;
  private final TlsServer tls;

  CertificatesTest(@TempDir Path keys) {
    tls = new TlsServer(keys, new byte[1], 200);
  }

  @AfterEach
  void stop() {
    tls.close();
  }

  private static int get(SSLContext context, URI server) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client
          .send(HttpRequest.newBuilder(server).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void aFileOfCertificatesIsTrustedAndNoOther() throws Exception {
    URI server = tls.serve("mine");
    tls.makeKey("other");

    assertThat(get(Certificates.only(tls.certificate("mine")), server)).isEqualTo(200);
    assertThat(get(Certificates.besideJavas(tls.certificate("mine")), server)).isEqualTo(200);
    SSLContext other = Certificates.besideJavas(tls.certificate("other"));
    IOException refused = catchThrowableOfType(IOException.class, () -> get(other, server));
    assertThat(Certificates.hint(refused)).contains("SSL_CERT_FILE");
  }

  @Test
  void aFailureWithoutCertificatesGetsNoHint() {
    assertThat(Certificates.hint(new IOException("x"))).isEmpty();
  }

  @Test
  void aFileThatHoldsNoneIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("x"), "-----BEGIN CERTIFICATE-----\n");

    assertThatThrownBy(() -> Certificates.trust(Map.of(Certificates.FILE, file.toString())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("SSL_CERT_FILE: " + file);
    assertThatThrownBy(() -> Certificates.trust(Map.of(Certificates.FILE, "/nowhere")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/nowhere");
  }
}
