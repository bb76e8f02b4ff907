package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.cli.Canary.Surface;
import dev.reprise.workflows.activity.StackRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets, configuration and programs of Stacks that succeed, fail, are retried, refused and
 * deleted are nowhere but where they belong. {@link Canary} tells what belongs where; the Stacks
 * are in the test resources, folder {@code privacy}.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class PrivacyTest {
  private static final Path STACKS = Path.of("src/test/resources/privacy");
  private static final Pattern METRICS = Pattern.compile("--metrics-address (127.0.0.1:\\d+)");
  private static final String ANNOTATION = "example.com/note";

  /** Of the files that only their owner can read, those that have to hold such things. */
  private static final Set<String> PRIVATE_FILES =
      Set.of("cluster.jsonl", "config.json", "secrets.json", "outputs.json", "result.pb");

  /** What the program of Stack works is given, and hands over to this test. */
  private static final Set<Canary> GIVEN =
      EnumSet.of(
          Canary.SECRETS_REF,
          Canary.SECRETS_REF_LITERAL,
          Canary.SECRETS,
          Canary.ENV_SECRETS,
          Canary.ENV_REFS_SECRET,
          Canary.ENV_REFS_LITERAL,
          Canary.ACCESS_TOKEN,
          Canary.BACKEND_PASSWORD,
          Canary.CONFIG,
          Canary.CONFIG_REF,
          Canary.ENVS);

  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));
  private final Map<Surface, Set<Canary>> seen = new EnumMap<>(Surface.class);
  private final List<String> leaks = new ArrayList<>();

  @BeforeEach
  void open() {
    sandbox = new Sandbox(folder);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void whatIsNobodysBusinessIsOnlyWhereItBelongs() throws Exception {
    try (WatchedGit git = new WatchedGit()) {
      Files.createDirectories(folder.resolve("seen"));
      plant(git.host());
      sandbox.with(
          "JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=" + folder.resolve("debug-log.xml"));
      RepriseProcess dev = sandbox.start("dev", "privacy", "--metrics-address", "127.0.0.1:0");

      awaitFirstAttempts(dev);
      try (Cluster cluster = Cluster.of(sandbox)) {
        Traces traces = new Traces(cluster);
        List<StackRef> stacks = new StackList(cluster.kubernetes()).refs();
        lookWhileRunning(cluster, traces, stacks);
        live(dev);
        look(dev, traces, stacks);
      }
      assertThat(Canary.in(git.credentials()))
          .contains(Canary.GIT_USER, Canary.GIT_PASSWORD, Canary.GIT_TOKEN, Canary.GIT_ADDRESS);
    }
    assertThat(
            Canary.in(
                read(folder.resolve("seen/works.env")) + read(folder.resolve("seen/works.json"))))
        .containsExactlyInAnyOrderElementsOf(GIVEN);
    assertThat(leaks).isEmpty();
    assertEverythingWasLookedAt();
  }

  /** Copies the Stacks, with the canaries in their places. */
  private void plant(String gitHost) throws IOException {
    try (Stream<Path> files = Files.walk(STACKS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = read(file).replace("@GIT_HOST@", gitHost);
        for (Canary canary : Canary.values()) {
          text = text.replace("@" + canary.name() + "@", canary.text());
        }
        String name = STACKS.relativize(file).toString();
        if (name.startsWith("debug-log")) {
          sandbox.write(name, text.replace("@LOG@", folder.resolve("debug.log").toString()));
        } else {
          Path copy = sandbox.write("privacy/" + name, text);
          Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
    }
  }

  private static void awaitFirstAttempts(RepriseProcess dev) {
    dev.awaitLine("default/works  Running", "stack is being processed");
    dev.awaitLine("default/fails  CoolingDown  failures 1");
    dev.awaitLine("default/install  CoolingDown  failures 1");
    dev.awaitLine("default/deleted  Ready");
    dev.awaitLine("default/environment  CoolingDown  failures 1");
  }

  private void lookWhileRunning(Cluster cluster, Traces traces, List<StackRef> stacks) {
    await().atMost(RepriseProcess.LONG).until(() -> cluster.eventsOfOperation("works") > 100);
    for (StackRef stack : stacks) {
      look(Surface.DESCRIPTION, stack.name() + " while it runs", traces.description(stack));
    }
    List<String> processes = sandbox.left();
    assertThat(processes).anyMatch(line -> line.contains("agent serve"));
    look(Surface.ARGUMENTS, "processes", String.join("\n", processes));
  }

  /** Lets one succeed, retries one, and deletes one. */
  private void live(RepriseProcess dev) throws Exception {
    sandbox.write("go", "");
    dev.awaitLine("default/works  Ready");
    look(Surface.SCREEN, "retry", command("retry", "fails", "--reason", "a test"));
    dev.awaitLine("default/fails  CoolingDown  failures 2");
    Files.delete(folder.resolve("privacy/deleted.yaml"));
    dev.awaitLine("default/deleted  gone");
    look(Surface.SCREEN, "get", command("get"));
  }

  private String command(String... arguments) throws Exception {
    RepriseProcess command = sandbox.start(arguments);
    assertThat(command.awaitExit()).as(command.output()).isZero();
    return command.output();
  }

  private void look(RepriseProcess dev, Traces traces, List<StackRef> stacks) throws Exception {
    for (StackRef stack : stacks) {
      String history = traces.history(stack);
      assertThat(history).contains(stack.uid());
      look(Surface.HISTORY, stack.name(), history);
      look(Surface.DESCRIPTION, stack.name(), traces.description(stack));
    }
    look(Surface.STATUS, "Stacks", traces.stacks(ANNOTATION));
    look(Surface.EVENTS, "events", traces.events());
    look(Surface.RESULT, "results", traces.results());
    assertThat(traces.otherSecrets())
        .containsExactlyInAnyOrder("vault", "variables", "access", "git");
    look(Surface.SCREEN, "dev", dev.output());
    String log = read(folder.resolve("debug.log"));
    assertThat(log).contains("DEBUG", "agent for ", "dev.reprise");
    look(Surface.LOG, "log", log);
    String metrics = metrics(log);
    assertThat(metrics).contains("stacks_failing{name=\"fails\"", "outcome=\"UpdateFailed\"");
    look(Surface.METRICS, "metrics", metrics);
    lookAtFiles();
  }

  private static String metrics(String log) throws Exception {
    Matcher address = METRICS.matcher(log);
    assertThat(address.find()).isTrue();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://" + address.group(1) + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private void lookAtFiles() {
    try (Stream<Path> files = Files.walk(folder.resolve(DevInstance.DEFAULT_STATE))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("output.log")) {
          look(Surface.PROGRAM_LOG, folder.relativize(file).toString(), read(file));
        }
        boolean known = PRIVATE_FILES.contains(name) || name.startsWith("output.log");
        if (!known || !onlyForItsOwner(file)) {
          look(Surface.FILES, folder.relativize(file).toString(), read(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By itself, or because of a folder below the state folder that it is in. */
  private boolean onlyForItsOwner(Path file) throws IOException {
    Path state = folder.resolve(DevInstance.DEFAULT_STATE);
    for (Path path = file; !path.equals(state); path = path.resolveSibling("").normalize()) {
      if (PosixFilePermissions.toString(Files.getPosixFilePermissions(path)).endsWith("------")) {
        return true;
      }
    }
    return false;
  }

  private void look(Surface surface, String where, String text) {
    Set<Canary> found = Canary.in(text);
    seen.computeIfAbsent(surface, s -> EnumSet.noneOf(Canary.class)).addAll(found);
    for (Canary canary : found) {
      if (!canary.allowedIn(surface)) {
        leaks.add("%s in %s of %s: %s".formatted(canary, surface, where, around(text, canary)));
      }
    }
  }

  private static String around(String text, Canary canary) {
    int at = text.indexOf(canary.text());
    return at < 0
        ? "in base64"
        : text.substring(Math.max(0, at - 120), Math.min(text.length(), at + 80))
            .replaceAll("\\p{Cntrl}", " ");
  }

  /** What may be seen is seen, so that what is not seen was really looked for. */
  private void assertEverythingWasLookedAt() {
    for (Surface surface : Surface.values()) {
      Set<Canary> expected = new TreeSet<>();
      Stream.of(Canary.values()).filter(canary -> canary.allowedIn(surface)).forEach(expected::add);
      assertThat(seen.getOrDefault(surface, Set.of()))
          .as(surface.name())
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void aCanaryIsFoundAlsoInBase64WithinSomethingElse() {
    byte[] twice =
        Base64.getEncoder()
            .encode(
                Base64.getEncoder()
                    .encode(("a" + Canary.SECRETS.text()).getBytes(StandardCharsets.UTF_8)));
    assertThat(Canary.in("x" + new String(twice, StandardCharsets.UTF_8) + "y"))
        .containsExactly(Canary.SECRETS);
    assertThat(Canary.in("{\"a\":\"" + Canary.CONFIG.text() + "\\n\"}"))
        .containsExactly(Canary.CONFIG);
    assertThat(Canary.in("nothing of that kind")).isEmpty();
  }

  /** Latin-1, so that any bytes are a text; "" for what has just been deleted. */
  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
