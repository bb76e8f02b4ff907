package dev.reprise.dev.kube;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** HTTP and WebSocket in front of the {@link Api}. All of it runs on one event loop. */
final class HttpFront {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  /** A real server ends a watch after 30 to 60 minutes of its own accord. */
  private static final long WATCH_SECONDS = 1800;

  /** A watcher that lets so much pile up is cut off, as by a real server. */
  private static final int WATCH_BACKLOG_BYTES = 64 << 20;

  /**
   * A WebSocket that ends in the moment of its upgrade is missed by clients that are still about to
   * listen: fabric8's then waits for ever (seen with 8.0.0).
   */
  private static final long FAREWELL_MILLIS = 200;

  private final Vertx vertx;
  private final Api api;
  private final RequestParser parser;
  private final Discovery discovery;
  private final Faults faults;
  private final RequestLog log;
  private final String token;

  HttpFront(Vertx vertx, Api api, Faults faults, RequestLog log, String token) {
    this.vertx = vertx;
    this.api = api;
    this.parser = new RequestParser(api.registry());
    this.discovery = new Discovery(api.registry());
    this.faults = faults;
    this.log = log;
    this.token = token;
  }

  void accept(HttpServerRequest http) {
    if (http.canUpgradeToWebSocket()) {
      handle(http, "");
    } else {
      http.body()
          .onSuccess(body -> handle(http, body.toString(StandardCharsets.UTF_8)))
          .onFailure(e -> LOG.debug("request body not received: {}", e.toString()));
    }
  }

  private void handle(HttpServerRequest http, String body) {
    guarded(
        http,
        () -> {
          if (!authorized(http)) {
            throw ApiError.of(401, "Unauthorized", "Unauthorized");
          }
          if (path(http).equals("/openapi/v2")) {
            sendEmptySchema(http.response());
            return;
          }
          var document = discovery.answer(path(http));
          if (document.isPresent()) {
            send(http.response(), ApiResponse.ok(document.get()));
            return;
          }
          ApiRequest request = parser.parse(raw(http, body));
          RequestInfo info = RequestInfo.of(request);
          log.add(info);
          Faults.Fault fault = faults.next(info);
          if (fault.code() > 0) {
            throw ApiError.of(fault.code(), "InternalError", "a fault made by the test");
          }
          if (fault.delay().isZero()) {
            perform(http, request);
          } else {
            http.pause();
            vertx.setTimer(
                fault.delay().toMillis(), id -> guarded(http, () -> perform(http, request)));
          }
        });
  }

  private void guarded(HttpServerRequest http, Runnable action) {
    try {
      action.run();
    } catch (ApiError e) {
      if (e.bare()) {
        http.response()
            .setStatusCode(404)
            .putHeader("content-type", "text/plain; charset=utf-8")
            .end("404 page not found\n");
      } else {
        send(http.response(), new ApiResponse(e.code(), e.status()));
      }
    } catch (RuntimeException e) {
      LOG.warn("{} {} failed", http.method(), http.path(), e);
      ApiError error = ApiError.of(500, "InternalError", "Internal error occurred: " + e);
      send(http.response(), new ApiResponse(500, error.status()));
    }
  }

  /** By the header, or by the first part of the path: kubectl sends no header without TLS. */
  private boolean authorized(HttpServerRequest http) {
    return isToken(header(http, "Authorization").replaceFirst("^Bearer ", ""))
        || isToken(firstPart(fullPath(http)));
  }

  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static String firstPart(String path) {
    int end = path.indexOf('/', 1);
    return end < 0 ? "" : path.substring(1, end);
  }

  /** kubectl insists on a schema in Protobuf; with an empty one it leaves validation to us. */
  private static void sendEmptySchema(HttpServerResponse response) {
    response
        .putHeader("content-type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
        .end();
  }

  private RequestParser.Raw raw(HttpServerRequest http, String body) {
    Map<String, String> query = new HashMap<>();
    http.params(true).forEach(query::putIfAbsent);
    return new RequestParser.Raw(
        http.method().name(),
        path(http),
        query,
        header(http, "Content-Type"),
        header(http, "Accept"),
        header(http, "User-Agent"),
        body);
  }

  /** The path without the token. */
  private String path(HttpServerRequest http) {
    String path = fullPath(http);
    String first = firstPart(path);
    return isToken(first) ? path.substring(first.length() + 1) : path;
  }

  private static String fullPath(HttpServerRequest http) {
    @Nullable String path = http.path();
    return path == null ? "/" : URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String header(HttpServerRequest http, String name) {
    @Nullable String value = http.getHeader(name);
    return value == null ? "" : value;
  }

  private void perform(HttpServerRequest http, ApiRequest request) {
    if (!request.verb().equals("watch")) {
      send(http.response(), api.handle(request));
    } else if (http.canUpgradeToWebSocket()) {
      http.toWebSocket()
          .onSuccess(socket -> watch(request, new SocketStream(vertx, socket)))
          .onFailure(e -> LOG.debug("watch not upgraded: {}", e.toString()));
    } else {
      HttpServerResponse response = http.response();
      response.setChunked(true).putHeader("content-type", "application/json");
      response.writeHead();
      watch(request, new ChunkedStream(response));
    }
  }

  private void watch(ApiRequest request, Connection stream) {
    long seconds =
        request.query("timeoutSeconds").isEmpty()
            ? WATCH_SECONDS
            : Long.parseLong(request.query("timeoutSeconds"));
    long timer =
        vertx.setTimer(
            Math.max(1, seconds * 1000),
            id -> {
              api.watches().close(stream);
              stream.end();
            });
    stream.onClosed(
        () -> {
          vertx.cancelTimer(timer);
          api.watches().close(stream);
        });
    api.watches().open(request, stream);
  }

  private static void send(HttpServerResponse response, ApiResponse answer) {
    response
        .setStatusCode(answer.code())
        .putHeader("content-type", "application/json")
        .end(Json.write(answer.body()));
  }

  private interface Connection extends WatchHub.Stream {
    void onClosed(Runnable action);
  }

  private record SocketStream(Vertx vertx, ServerWebSocket socket) implements Connection {
    SocketStream {
      socket.setWriteQueueMaxSize(WATCH_BACKLOG_BYTES);
    }

    @Override
    public void send(JsonNode event) {
      if (socket.writeQueueFull()) {
        socket.close();
      } else if (!socket.isClosed()) {
        socket.writeTextMessage(Json.write(event));
      }
    }

    @Override
    public void end() {
      socket.close();
    }

    @Override
    public void fail(JsonNode event) {
      send(event);
      vertx.setTimer(FAREWELL_MILLIS, id -> end());
    }

    @Override
    public void onClosed(Runnable action) {
      socket.closeHandler(done -> action.run());
    }
  }

  private record ChunkedStream(HttpServerResponse response) implements Connection {
    ChunkedStream {
      response.setWriteQueueMaxSize(WATCH_BACKLOG_BYTES);
    }

    @Override
    public void send(JsonNode event) {
      if (response.writeQueueFull()) {
        response.reset();
      } else if (!response.ended() && !response.closed()) {
        response.write(Json.write(event) + "\n");
      }
    }

    @Override
    public void fail(JsonNode event) {
      send(event);
      end();
    }

    @Override
    public void end() {
      if (!response.ended() && !response.closed()) {
        response.end();
      }
    }

    @Override
    public void onClosed(Runnable action) {
      response.closeHandler(done -> action.run());
      response.endHandler(done -> action.run());
    }
  }
}
