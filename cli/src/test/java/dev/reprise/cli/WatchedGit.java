package dev.reprise.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A git server with a branch {@code main} and nothing behind it, which remembers who asked. Asked
 * for anything below {@code /denied/} it refuses every password; below {@code /closed/} it wants
 * some; everything else is open.
 */
final class WatchedGit implements AutoCloseable {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  private final HttpServer server;
  private final List<String> credentials = new CopyOnWriteArrayList<>();

  WatchedGit() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    List<String> given = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
    given.forEach(header -> credentials.add(decoded(header)));
    boolean refused =
        path.startsWith("/denied/") || (path.startsWith("/closed/") && given.isEmpty());
    if (refused) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
      exchange.sendResponseHeaders(401, -1);
    } else if (path.endsWith("/info/refs")) {
      refs(exchange);
    } else {
      exchange.sendResponseHeaders(500, -1);
    }
    exchange.close();
  }

  private static String decoded(String header) {
    String base64 = header.substring(header.indexOf(' ') + 1);
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private static void refs(HttpExchange exchange) throws IOException {
    String refs =
        line("# service=git-upload-pack\n")
            + "0000"
            + line(COMMIT + " refs/heads/main\0agent=test\n")
            + "0000";
    byte[] body = refs.getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .set("Content-Type", "application/x-git-upload-pack-advertisement");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  /** A line in git's wire format: its length, itself included, in four hexadecimal digits. */
  private static String line(String text) {
    return String.format("%04x", text.length() + 4) + text;
  }

  /** Every user and password that were sent, as {@code user:password}. */
  String credentials() {
    return String.join("\n", credentials);
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
