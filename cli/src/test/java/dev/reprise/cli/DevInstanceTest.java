package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevInstanceTest {
  @TempDir Path folder;

  @Test
  void aRunningInstanceIsFoundByItsStateFolder() throws IOException {
    DevInstance here = DevInstance.here("kubeconfig", "127.0.0.1:7233", "abcd1234");

    here.write(folder);

    assertThat(DevInstance.running(folder)).contains(here);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("dev.json"))))
        .isEqualTo("rw-------");
  }

  @Test
  void afterItsEndNothingIsFound() throws IOException {
    DevInstance.here("", "127.0.0.1:7233", "abcd1234").write(folder);
    DevInstance.forget(folder);

    assertThat(DevInstance.running(folder)).isEmpty();
  }

  @Test
  void anotherProcessWithTheSameNumberIsNotTakenForIt() throws IOException {
    DevInstance here = DevInstance.here("", "127.0.0.1:7233", "abcd1234");

    new DevInstance(here.pid(), here.started() - 1000, "", here.temporal(), "").write(folder);

    assertThat(DevInstance.running(folder)).isEmpty();
  }

  @Test
  void aDamagedFileIsNoInstance() throws IOException {
    Files.writeString(folder.resolve("dev.json"), "{\"pid\": ");

    assertThat(DevInstance.running(folder)).isEmpty();
  }

  @Test
  void theStateFolderIsMadeForItsOwnerOnly() throws IOException {
    Path state = folder.resolve("a/b");
    try (FileChannel held = DevInstance.lock(state)) {
      assertThat(held.isOpen()).isTrue();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aStateFolderThatCannotBeMadeIsOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> DevInstance.lock(file.resolve("state")))
        .isInstanceOf(UserProblem.class)
        .hasMessageContaining("the state folder " + file.resolve("state") + " cannot be used");
  }
}
