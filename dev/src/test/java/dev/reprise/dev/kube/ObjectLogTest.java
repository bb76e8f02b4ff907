package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.dev.KeptStateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ObjectLogTest {
  @TempDir private Path dir;
  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = dir.resolve("state").resolve("cluster.jsonl");
  }

  /** A store whose changes are logged, as the server has it. */
  private final class Logged implements AutoCloseable {
    private final ObjectStore store = new ObjectStore(10);
    private final ObjectLog log = ObjectLog.open(file, store);

    private Logged() {
      store.onChange(log::onChange);
    }

    private void put(String name, String data) {
      ObjectNode object = Json.object();
      object.putObject("metadata").put("namespace", "default").put("name", name);
      store.put("configmaps", object.put("data", data));
    }

    private List<String> names() {
      return store.list("configmaps", "").stream().map(Meta::name).toList();
    }

    private String data(String name) {
      return store
          .get("configmaps", "default", name)
          .map(object -> Json.text(object, "data"))
          .orElse("");
    }

    @Override
    public void close() {
      log.close();
    }
  }

  private void append(byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND);
  }

  @Test
  void aWriteThatWasCutOffIsIgnored() throws IOException {
    try (Logged logged = new Logged()) {
      logged.put("one", "");
      logged.put("two", "ü");
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int cut = 1; cut < 40; cut++) {
      Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - cut));
      try (Logged logged = new Logged()) {
        assertThat(logged.names()).containsExactly("one");
      }
    }
  }

  @Test
  void whatIsWrittenAfterATornLineIsKept() throws IOException {
    try (Logged logged = new Logged()) {
      logged.put("one", "");
    }
    append("{\"op\":\"put\",\"resou".getBytes(StandardCharsets.UTF_8));
    try (Logged logged = new Logged()) {
      logged.put("two", "");
    }
    try (Logged logged = new Logged()) {
      assertThat(logged.names()).containsExactly("one", "two");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json\n",
        "\n",
        "{}\n",
        "{\"op\":\"put\",\"resource\":\"configmaps\",\"object\":{\"metadata\":{\"name\":\"x\"}}}\n",
        "{\"op\":\"move\",\"resource\":\"configmaps\",\"object\":{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"9\"}}}\n",
      })
  void aLineThatCannotBeReadIsNamedAndNothingIsOverwritten(String line) throws IOException {
    try (Logged logged = new Logged()) {
      logged.put("one", "");
    }
    append(line.getBytes(StandardCharsets.UTF_8));
    String before = Files.readString(file);
    assertThatThrownBy(Logged::new)
        .isInstanceOf(KeptStateException.class)
        .hasMessageContainingAll(file.toString(), "line 3", "move it away");
    assertThat(file).hasContent(before);
    Files.delete(file);
    new Logged().close();
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    new Logged().close();
    append(new byte[] {'"', (byte) 0xff, '"', '\n'});
    assertThatThrownBy(Logged::new).isInstanceOf(KeptStateException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"format\":\"other/1\",\"revision\":1}\n", "{\"format\":"})
  void aFileOfAnotherKindIsRefused(String text) throws IOException {
    Files.createDirectories(dir.resolve("state"));
    Files.writeString(file, text);
    assertThatThrownBy(Logged::new)
        .isInstanceOf(KeptStateException.class)
        .hasMessageContaining("line 1");
    assertThat(file).hasContent(text);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws IOException {
    Files.writeString(dir.resolve("state"), "a file where the folder should be");
    assertThatThrownBy(Logged::new)
        .isInstanceOf(KeptStateException.class)
        .hasMessageContaining("cannot be kept in " + file);
  }

  @Test
  void aLongLogIsRewrittenWithTheLivingObjectsOnly() throws IOException {
    String large = "x".repeat(100_000);
    try (Logged logged = new Logged()) {
      logged.put("one", "");
      for (int i = 0; i < 100; i++) {
        logged.put("two", i + large);
        assertThat(Files.size(file)).isLessThanOrEqualTo(ObjectLog.SMALL + large.length() + 1000);
      }
    }
    new Logged().close();
    assertThat(Files.readString(file).lines()).hasSize(3);
    try (Logged logged = new Logged()) {
      assertThat(logged.names()).containsExactly("one", "two");
      assertThat(logged.data("two")).startsWith("99x");
    }
  }

  @Test
  void aLogOfManyLivingObjectsMayBeLongInProportion() throws IOException {
    String large = "x".repeat(100_000);
    try (Logged logged = new Logged()) {
      for (int i = 0; i < 20; i++) {
        logged.put("object" + i, large);
      }
    }
    try (Logged logged = new Logged()) {
      long living = Files.size(file);
      for (int i = 0; i < 20; i++) {
        logged.put("object" + i, large);
      }
      assertThat(Files.size(file)).isGreaterThan(living * 19 / 10);
    }
  }

  @Test
  void whatADiskRefusedForAWhileIsWrittenLater() throws IOException {
    String large = "x".repeat(200_000);
    Path away = dir.resolve("away");
    try (Logged logged = new Logged()) {
      Files.move(dir.resolve("state"), away);
      for (int i = 0; i < 10; i++) {
        logged.put("object" + i, large);
      }
      assertThat(file).doesNotExist();
      Files.move(away, dir.resolve("state"));
      logged.put("last", "");
    }
    try (Logged logged = new Logged()) {
      assertThat(logged.names()).hasSize(11).contains("object9", "last");
    }
  }

  @Test
  void eventsOfMoreThanAnHourAgoAreForgotten() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    try (Logged logged = new Logged()) {
      event(logged, "old", now.minusSeconds(7200), now.minusSeconds(3700));
      event(logged, "seenAgain", now.minusSeconds(7200), now.minusSeconds(60));
      event(logged, "new", now, now);
    }
    try (Logged logged = new Logged()) {
      assertThat(logged.store.list("events", "").stream().map(Meta::name))
          .containsExactly("new", "seenAgain");
    }
  }

  private static void event(Logged logged, String name, Instant created, Instant last) {
    ObjectNode event = Json.object();
    event.putObject("metadata").put("name", name).put("creationTimestamp", created.toString());
    logged.store.put("events", event.put("lastTimestamp", last.toString()));
  }
}
