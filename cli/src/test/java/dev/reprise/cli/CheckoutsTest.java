package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckoutsTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void theOneUsedLastIsCurrentAndNotTheOneMadeLast() throws IOException {
    assertThat(new Checkouts(folder).current()).isEmpty();
    use("a");
    use("b");
    use("a");

    assertThat(new Checkouts(folder).current()).contains(folder.resolve("a"));
  }

  @Test
  void onlyTheCurrentAndThePreviousOneAreKept() throws IOException {
    use("a");
    use("b");
    use("c");

    assertThat(folder.resolve("a")).doesNotExist();
    assertThat(folder.resolve("b/program")).exists();
    assertThat(folder.resolve("c/program")).exists();
  }

  private void use(String revision) throws IOException {
    Path checkout = Files.createDirectories(folder.resolve(revision));
    Files.writeString(checkout.resolve("program"), revision);
    new Checkouts(folder).use(revision);
  }
}
