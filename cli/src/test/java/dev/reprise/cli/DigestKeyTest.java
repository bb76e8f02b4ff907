package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class DigestKeyTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void theIdNamesTheKeyAndNotTheInstallation() throws IOException {
    DigestKey one = DigestKey.in(folder.resolve("one"));
    DigestKey other = DigestKey.in(folder.resolve("other"));

    assertThat(one.id()).matches("[0-9a-f]{8}").isNotEqualTo(other.id());
    assertThat(DigestKey.in(folder.resolve("one"))).isEqualTo(one);
    Path file = folder.resolve("one/digest.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> left = Files.list(folder.resolve("one"))) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void workersThatBeginAtTheSameMomentAgree() throws Exception {
    int workers = 8;
    CyclicBarrier start = new CyclicBarrier(workers);
    Set<DigestKey> keys = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<DigestKey> key :
          threads.invokeAll(
              IntStream.range(0, workers)
                  .mapToObj(
                      i ->
                          (Callable<DigestKey>)
                              () -> {
                                start.await();
                                return DigestKey.in(folder);
                              })
                  .toList())) {
        keys.add(key.get());
      }
    }
    assertThat(keys).hasSize(1);
  }

  @Test
  void anEmptyFileIsOneLine() throws IOException {
    Path file = Files.createFile(folder.resolve("digest.key"));

    assertThatThrownBy(() -> DigestKey.in(folder))
        .isInstanceOf(UserProblem.class)
        .hasMessageContaining("the key file " + file + " cannot be used");
  }
}
