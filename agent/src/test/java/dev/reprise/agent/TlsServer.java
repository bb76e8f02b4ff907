package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Servers over TLS at 127.0.0.1, with certificates that nobody knows, and one answer to all. */
public final class TlsServer implements AutoCloseable {
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final byte[] answer;
  private final int status;
  private final List<HttpsServer> servers = new ArrayList<>();

  /**
   * @param folder for keys and certificates
   */
  public TlsServer(Path folder, byte[] answer, int status) {
    this.folder = folder;
    this.answer = answer.clone();
    this.status = status;
  }

  /** The file with the certificate of a key, in PEM format. */
  public Path certificate(String name) {
    return folder.resolve(name + ".crt");
  }

  private Path keyStore(String name) {
    return folder.resolve(name + ".p12");
  }

  /** Makes a key and its certificate. */
  public void makeKey(String name) throws Exception {
    String store = " -alias k -storepass " + PASSWORD + " -keystore " + keyStore(name);
    keytool("-genkeypair -keyalg EC -dname CN=x -ext san=ip:127.0.0.1 -storetype PKCS12" + store);
    keytool("-exportcert -rfc -file " + certificate(name) + store);
  }

  private static void keytool(String arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Collections.addAll(command, arguments.split(" ", -1));
    Process tool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(tool.waitFor()).isZero();
  }

  /** Serves with a new key of this name. */
  public URI serve(String name) throws Exception {
    makeKey(name);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore(name))) {
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
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
  }
}
