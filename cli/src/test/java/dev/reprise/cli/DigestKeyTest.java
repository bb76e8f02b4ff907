package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
  void inAClusterAllWorkersUseTheKeyOfOneSecret() throws Exception {
    try (EmbeddedKubernetes server = EmbeddedKubernetes.start();
        KubernetesClient client = server.client();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<DigestKey>> workers =
          Collections.nCopies(4, () -> DigestKey.in(client, "default"));
      Set<DigestKey> keys = new HashSet<>();
      for (Future<DigestKey> key : threads.invokeAll(workers)) {
        keys.add(key.get());
      }
      assertThat(keys).hasSize(1);

      client
          .secrets()
          .inNamespace("default")
          .withName("reprise-digest-key")
          .edit(secret -> new SecretBuilder(secret).withData(Map.of()).build());
      assertThatThrownBy(() -> DigestKey.in(client, "default"))
          .isInstanceOf(UserProblem.class)
          .hasMessageContaining("default/reprise-digest-key");
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
