package dev.reprise.agent.init;

import dev.reprise.agent.operation.Durable;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/** Fetches and unpacks the artifact of a Flux source, or of a Program, which is served alike. */
public final class FluxInit {
  /** The variable with the most bytes an archive may have unpacked; -1 for no limit. */
  public static final String LIMIT = "FLUX_MAX_UNTAR_SIZE_BYTES";

  private static final long DEFAULT_LIMIT = 100L * 1024 * 1024;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Map<String, String> environment;
  private final Duration firstPause;

  /**
   * @param environment with {@link #LIMIT}, if another than 100 MiB is wanted
   */
  public FluxInit(Map<String, String> environment) {
    this(environment, FIRST_PAUSE);
  }

  FluxInit(Map<String, String> environment, Duration firstPause) {
    this.environment = Map.copyOf(environment);
    this.firstPause = firstPause;
  }

  /**
   * Fills a folder with the content of an archive.
   *
   * @param url where the tar.gz file is, over http or https
   * @param digest as in the source's {@code status.artifact.digest}
   * @throws IOException with a message that names the cause
   */
  public void run(Path folder, String url, String digest) throws IOException, InterruptedException {
    long most = limit();
    Digest expected = Digest.parse(digest);
    URI address = address(url);
    Target target = Target.of(folder);
    target.clear();
    Path archive = target.folder().resolveSibling(target.folder().getFileName() + ".tar.gz");
    try {
      new Download(firstPause).fetch(address, expected, most, archive);
      Files.createDirectory(target.partial());
      unpack(archive, target.partial(), most);
      Files.move(target.partial(), target.folder(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(archive);
      Durable.delete(target.partial());
    }
  }

  private static void unpack(Path archive, Path into, long most) throws IOException {
    try {
      new Archive(into, most).unpack(archive);
    } catch (IOException e) {
      throw new IOException("flux: the artifact cannot be unpacked: " + e.getMessage(), e);
    }
  }

  private static URI address(String url) throws IOException {
    try {
      URI address = new URI(url);
      String scheme = String.valueOf(address.getScheme());
      if (scheme.equals("http") || scheme.equals("https")) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw new IOException("flux: the address of the artifact is not valid: " + e.getReason(), e);
    }
    throw new IOException("flux: the address of the artifact must begin with http:// or https://");
  }

  private long limit() throws IOException {
    String given = environment.getOrDefault(LIMIT, "").strip();
    try {
      return given.isEmpty() ? DEFAULT_LIMIT : Long.parseLong(given);
    } catch (NumberFormatException e) {
      throw new IOException(
          LIMIT + ": \"" + given + "\" is no number of bytes; write for example 104857600, or -1",
          e);
    }
  }
}
