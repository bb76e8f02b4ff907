package dev.reprise.agent.init;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches one file over HTTP and checks its digest. */
final class Download {
  private static final Logger log = LoggerFactory.getLogger(Download.class);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(10);
  private static final int TRIES = 4;
  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  private final Duration firstPause;

  /**
   * @param firstPause after the first failure; doubles with each
   */
  Download(Duration firstPause) {
    this.firstPause = firstPause;
  }

  /** What another attempt may mend. */
  private static final class Passing extends IOException {
    private static final long serialVersionUID = 1;

    Passing(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Fetches, up to three times again when the network or the server fails.
   *
   * @param most bytes to take; negative for no limit
   * @throws IOException if it cannot be had, is too large or is not what the digest says
   */
  void fetch(URI url, Digest digest, long most, Path into)
      throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(CONNECT_LIMIT)
            .build()) {
      Duration pause = firstPause;
      for (int attempt = 1; ; attempt++) {
        try {
          fetchOnce(client, url, digest, most, into);
          return;
        } catch (Passing e) {
          if (attempt == TRIES) {
            throw e;
          }
          log.warn("{}; again in {}", e.getMessage(), pause);
          Thread.sleep(pause);
          pause = pause.multipliedBy(2);
        }
      }
    }
  }

  private static void fetchOnce(HttpClient client, URI url, Digest digest, long most, Path into)
      throws IOException, InterruptedException {
    MessageDigest hash = digest.newHash();
    HttpRequest request = HttpRequest.newBuilder(url).timeout(ANSWER_LIMIT).build();
    try (FileChannel file =
        FileChannel.open(
            into,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      Sink sink = new Sink(file, hash, most);
      CompletableFuture<HttpResponse<Void>> answer =
          client.sendAsync(
              request,
              info ->
                  info.statusCode() == OK
                      ? BodySubscribers.ofByteArrayConsumer(bytes -> bytes.ifPresent(sink::write))
                      : BodyHandlers.discarding().apply(info));
      checkStatus(await(answer, url), url);
    }
    digest.check(hash, url.toString());
  }

  private static int await(CompletableFuture<HttpResponse<Void>> answer, URI url)
      throws IOException, InterruptedException {
    try {
      return answer.get(WHOLE_LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode();
    } catch (TimeoutException e) {
      throw new IOException("flux: " + url + " was not complete after " + WHOLE_LIMIT, e);
    } catch (ExecutionException e) {
      for (Throwable t = e.getCause(); t != null; t = t.getCause()) {
        if (t instanceof TooLarge) {
          throw new IOException(t.getMessage(), e);
        }
      }
      throw new Passing("flux: " + url + " cannot be fetched: " + e.getCause(), e);
    } finally {
      answer.cancel(true);
    }
  }

  private static void checkStatus(int status, URI url) throws IOException {
    if (status == TOO_MANY || status >= SERVER_ERROR) {
      throw new Passing("flux: " + url + " answered HTTP " + status, new IOException());
    }
    if (status != OK) {
      throw new IOException(
          "flux: "
              + url
              + " answered HTTP "
              + status
              + ": a replaced artifact is gone; the source's next revision brings another");
    }
  }

  private static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLarge(long most) {
      super("flux: " + Archive.tooLarge(most));
    }
  }

  private static final class Sink {
    private final FileChannel file;
    private final MessageDigest hash;
    private final long most;
    private long written;

    Sink(FileChannel file, MessageDigest hash, long most) {
      this.file = file;
      this.hash = hash;
      this.most = most;
    }

    void write(byte[] bytes) {
      written += bytes.length;
      // What cannot be compressed is a little larger than unpacked.
      if (most >= 0 && written > most + most / 1000 + 1024) {
        throw new TooLarge(most);
      }
      hash.update(bytes);
      try {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          file.write(buffer);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
