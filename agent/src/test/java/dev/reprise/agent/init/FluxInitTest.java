package dev.reprise.agent.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FluxInitTest {
  private static final int FILE = 0644;

  @TempDir Path folder;
  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final AtomicInteger requests = new AtomicInteger();
  private volatile byte[] content = new byte[0];
  private volatile int failures;
  private volatile int failure = 503;

  FluxInitTest() throws IOException {
    server.createContext(
        "/",
        exchange -> {
          if (requests.incrementAndGet() <= failures) {
            exchange.sendResponseHeaders(failure, -1);
          } else {
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Path target() {
    return folder.resolve("source");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/a.tar.gz";
  }

  private void run(TarGz archive, Map<String, String> environment) throws Exception {
    content = archive.bytes();
    new FluxInit(environment, Duration.ofMillis(1)).run(target(), url(), TarGz.digest(content));
  }

  private void run(TarGz archive) throws Exception {
    run(archive, Map.of());
  }

  private IOException refusal(TarGz archive, Map<String, String> environment) {
    return catchThrowableOfType(IOException.class, () -> run(archive, environment));
  }

  private static TarGz program() throws IOException {
    return new TarGz()
        .folder("app")
        .file("app/up", "#!/bin/sh", 0755)
        .file("./app/data", "data", FILE)
        .link("latest", "app/data")
        .link("app/top", "../latest");
  }

  @Test
  void theArtifactIsUnpackedWithItsLinksAndExecutables() throws Exception {
    run(program());

    assertThat(target().resolve("app/up")).hasContent("#!/bin/sh").isExecutable();
    assertThat(Files.isExecutable(target().resolve("app/data"))).isFalse();
    assertThat(target().resolve("latest")).isSymbolicLink().hasContent("data");
    assertThat(target().resolve("app/top")).hasContent("data");
    assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".tar.gz"));
  }

  @Test
  void whatAnEarlierStartLeftIsReplaced() throws Exception {
    run(program());
    Files.writeString(target().resolve("stale"), "");
    Files.createDirectories(folder.resolve("source.partial/app"));
    Files.writeString(folder.resolve("source.tar.gz"), "half");

    run(program());

    assertThat(target().resolve("stale")).doesNotExist();
    assertThat(target().resolve("app/up")).exists();
    assertThat(folder.resolve("source.partial")).doesNotExist();
  }

  @Test
  void aFolderWithFilesOfSomeoneElseIsLeftAlone() throws Exception {
    Files.createDirectories(target());
    Files.writeString(target().resolve("thesis"), "");

    assertThat(refusal(program(), Map.of())).hasMessageContaining("name an empty or a new one");
    assertThat(target().resolve("thesis")).exists();
  }

  @Test
  void aServerThatFailsThreeTimesIsAskedAgain() throws Exception {
    failures = 3;

    run(program());

    assertThat(requests).hasValue(4);
  }

  @Test
  void thenItIsGivenUp() {
    failures = 4;

    assertThat(refusal(ok(), Map.of()))
        .hasMessageContaining("HTTP 503")
        .hasMessageContaining(url());
    assertThat(requests).hasValue(4);
  }

  @Test
  void nobodyListeningIsSaidSo() throws Exception {
    server.stop(0);

    assertThat(refusal(program(), Map.of())).hasMessageContaining("cannot be fetched");
  }

  @Test
  void anArtifactThatIsGoneIsNotAskedForAgain() {
    failures = 1;
    failure = 404;

    assertThat(refusal(ok(), Map.of()))
        .hasMessageContaining("HTTP 404")
        .hasMessageContaining("gone");
    assertThat(requests).hasValue(1);
  }

  @Test
  void anotherContentThanTheDigestSaysIsRefused() throws Exception {
    content = program().bytes();
    String other = TarGz.digest(new byte[1]);

    IOException e =
        catchThrowableOfType(
            IOException.class,
            () -> new FluxInit(Map.of(), Duration.ZERO).run(target(), url(), other));

    assertThat(e).hasMessageContaining("digest").hasMessageContaining(other.substring(7));
    assertThat(target()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha256:12", "md5:0123", "sha256:" + "zz"})
  void aDigestThatCannotBeCheckedIsRefused(String digest) {
    IOException e =
        catchThrowableOfType(
            IOException.class,
            () -> new FluxInit(Map.of(), Duration.ZERO).run(target(), url(), digest));

    assertThat(e).hasMessageContaining("the digest \"" + digest + "\"");
    assertThat(requests).hasValue(0);
  }

  @Test
  void theLimitCountsUnpackedBytes() throws Exception {
    byte[] zeros = new byte[1_000_000];
    Map<String, String> limit = Map.of(FluxInit.LIMIT, "900000");

    assertThat(refusal(new TarGz().file("z", zeros, FILE), limit))
        .hasMessageContaining("larger than 900000 bytes")
        .hasMessageContaining(FluxInit.LIMIT);
    assertThat(content.length).isLessThan(10_000);
    assertThat(target()).doesNotExist();

    run(new TarGz().file("z", zeros, FILE), Map.of(FluxInit.LIMIT, "-1"));
    assertThat(target().resolve("z")).hasSize(zeros.length);
  }

  @Test
  void moreThanTheLimitIsNotEvenDownloaded() throws Exception {
    content = new byte[2_000_000];
    IOException e =
        catchThrowableOfType(
            IOException.class,
            () ->
                new FluxInit(Map.of(FluxInit.LIMIT, "1000"), Duration.ZERO)
                    .run(target(), url(), TarGz.digest(content)));

    assertThat(e).hasMessageContaining("larger than 1000 bytes");
    assertThat(requests).hasValue(1);
  }

  @Test
  void aLimitThatIsNoNumberIsNamed() {
    assertThat(refusal(ok(), Map.of(FluxInit.LIMIT, "much"))).hasMessageContaining("\"much\"");
  }

  @Test
  void whatIsNoArchiveIsSaidSo() throws Exception {
    content = "<html>".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    IOException e =
        catchThrowableOfType(
            IOException.class,
            () ->
                new FluxInit(Map.of(), Duration.ZERO).run(target(), url(), TarGz.digest(content)));

    assertThat(e).hasMessageContaining("cannot be unpacked");
  }

  @ParameterizedTest
  @CsvSource({"../evil", "a/../../evil", "/evil"})
  void namesThatLeadOutAreRefused(String name) throws Exception {
    assertThat(refusal(new TarGz().file(name, "x", FILE), Map.of())).hasMessageContaining("evil");
    assertThat(folder.resolve("evil")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"l, ..", "l, /etc", "a/l, ../../x", "l, b/../.."})
  void linksThatLeadOutAreRefused(String name, String to) throws Exception {
    assertThat(refusal(new TarGz().folder("a").folder("b").link(name, to), Map.of()))
        .hasMessageContaining("is a link that leads");
  }

  @Test
  void linksBehindLinksDoNotLeadOutEither() throws Exception {
    // Read as text d/x stays inside, but d is the folder itself.
    TarGz archive = new TarGz().link("d", ".").link("d/x", "../y").file("d/x/evil", "x", FILE);

    assertThat(refusal(archive, Map.of())).hasMessageContaining("leads out");
    assertThat(folder.resolve("y")).doesNotExist();
  }

  @Test
  void aFileDoesNotGoThroughALinkOfTheSameName() throws Exception {
    run(new TarGz().file("kept", "kept", FILE).link("l", "kept").file("l", "new", FILE));

    assertThat(target().resolve("kept")).hasContent("kept");
    assertThat(target().resolve("l")).hasContent("new");
  }

  @ParameterizedTest
  @ValueSource(bytes = {TarConstants.LF_LINK, TarConstants.LF_FIFO, TarConstants.LF_CHR})
  void nothingButFoldersFilesAndSymbolicLinksIsMade(byte type) throws Exception {
    assertThat(refusal(new TarGz().special("s", "kept", type), Map.of()))
        .hasMessageContaining("\"s\" is neither");
  }

  private static TarGz ok() {
    return new TarGz();
  }
}
