package dev.reprise.stack.source;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Announces a repository with one branch, main, over HTTP to who knows the password; beside it lies
 * an ordinary page.
 */
final class GitHttpServer implements AutoCloseable {
  private final HttpServer server;
  private final ScheduledExecutorService drops = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  GitHttpServer(String user, String password, String commit) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String refs =
        line("# service=git-upload-pack\n")
            + "0000"
            + line(commit + " refs/heads/main\0agent=test\n")
            + "0000";
    serve("/x.git/info/refs", "application/x-git-upload-pack-advertisement", refs, user, password);
    serve("/", "text/html", "<html>hello</html>", user, password);
    server.createContext("/endless", this::drip);
    server.setExecutor(threads);
    server.start();
  }

  private void serve(String path, String type, String text, String user, String password) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    server
        .createContext(
            path,
            exchange -> {
              exchange.getResponseHeaders().set("Content-Type", type);
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
              exchange.close();
            })
        .setAuthenticator(
            new BasicAuthenticator("git") {
              @Override
              public boolean checkCredentials(String name, String given) {
                return name.equals(user) && given.equals(password);
              }
            });
  }

  // One empty line of git's wire format after the other, far apart, without end.
  private void drip(HttpExchange exchange) throws IOException {
    exchange
        .getResponseHeaders()
        .set("Content-Type", "application/x-git-upload-pack-advertisement");
    exchange.sendResponseHeaders(200, 0);
    OutputStream body = exchange.getResponseBody();
    body.write(line("# service=git-upload-pack\n").getBytes(StandardCharsets.UTF_8));
    var unused = drops.scheduleAtFixedRate(() -> drop(body), 0, 100, TimeUnit.MILLISECONDS);
  }

  private static void drop(OutputStream body) {
    try {
      body.write(line("# more\n").getBytes(StandardCharsets.UTF_8));
      body.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the client has gone", e); // ends the schedule
    }
  }

  /** A line in git's wire format: its length, itself included, in four hexadecimal digits. */
  private static String line(String text) {
    return String.format("%04x", text.length() + 4) + text;
  }

  String url() {
    return address("x.git");
  }

  String address(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + path;
  }

  @Override
  public void close() {
    drops.shutdownNow();
    server.stop(0);
    threads.shutdownNow();
  }
}
