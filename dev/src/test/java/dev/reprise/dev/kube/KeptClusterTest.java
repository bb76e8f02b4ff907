package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.dev.KeptStateException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptClusterTest {
  @TempDir private Path dir;

  private Path file() {
    return dir.resolve("state").resolve("cluster.jsonl");
  }

  private KubeFixture start() {
    return new KubeFixture(EmbeddedKubernetes.Options.defaults().keptIn(file()));
  }

  private static List<String> everything(KubeFixture kube) {
    return List.of(
        Serialization.asJson(kube.widgets().inAnyNamespace().list().getItems()),
        Serialization.asJson(kube.client.namespaces().list().getItems()),
        Serialization.asJson(kube.client.secrets().inAnyNamespace().list().getItems()),
        Serialization.asJson(
            kube.client.apiextensions().v1().customResourceDefinitions().list().getItems()));
  }

  private static long version(GenericKubernetesResource object) {
    return Long.parseLong(object.getMetadata().getResourceVersion());
  }

  @Test
  void aRestartKeepsEveryObjectAsItWas() {
    List<String> before;
    long last;
    try (KubeFixture kube = start()) {
      kube.apply("one", "reprise-dev", true, "title: abc");
      kube.apply("one", "reprise-dev", true, "title: abc;size: 2");
      kube.widget("one").edit(w -> finalizer(w, List.of("example.com/hold")));
      kube.widget("one").edit(KeptClusterTest::annotate);
      kube.create("gone");
      kube.widget("gone").delete();
      last = version(kube.applyStatus("one", "operator", true, "phase: up"));
      before = everything(kube);
    }
    try (KubeFixture kube = start()) {
      assertThat(everything(kube)).isEqualTo(before);
      assertThat(kube.widget("one").get().getMetadata().getGeneration()).isEqualTo(2);
      assertThat(version(kube.create("two"))).isGreaterThan(last);
    }
  }

  private static GenericKubernetesResource annotate(GenericKubernetesResource widget) {
    widget
        .getMetadata()
        .setAnnotations(Map.of("example.com/text", "Grün\r\n\u2028\u0000 \ud83d\ude80"));
    return widget;
  }

  private static GenericKubernetesResource finalizer(
      GenericKubernetesResource widget, List<String> names) {
    widget.getMetadata().setFinalizers(names);
    return widget;
  }

  @Test
  void aDeletionGoesOnAfterARestart() {
    try (KubeFixture kube = start()) {
      kube.create("one");
      kube.widget("one").edit(w -> finalizer(w, List.of("example.com/hold")));
      kube.widget("one").delete();
    }
    try (KubeFixture kube = start()) {
      assertThat(kube.widget("one").get().getMetadata().getDeletionTimestamp()).isNotNull();
      kube.widget("one").edit(w -> finalizer(w, List.of()));
      assertThat(kube.widget("one").get()).isNull();
    }
    try (KubeFixture kube = start()) {
      assertThat(kube.widget("one").get()).isNull();
    }
  }

  @Test
  void resourceVersionsNeverComeAgainEvenWhenTheNewestObjectIsGone() {
    long last;
    try (KubeFixture kube = start()) {
      last = version(kube.create("one"));
      kube.widget("one").delete();
    }
    start().close();
    try (KubeFixture kube = start()) {
      long twoGaps = 2 * ObjectLog.REVISION_GAP;
      assertThat(version(kube.create("two"))).isGreaterThan(last + twoGaps);
    }
  }

  @Test
  void aWatchFromBeforeTheRestartMustListAgain() throws Exception {
    String before;
    try (KubeFixture kube = start()) {
      before = kube.create("one").getMetadata().getResourceVersion();
    }
    try (KubeFixture kube = start()) {
      CompletableFuture<WatcherException> closed = new CompletableFuture<>();
      CompletableFuture<String> seen = new CompletableFuture<>();
      Watcher<GenericKubernetesResource> watcher =
          new Watcher<>() {
            @Override
            public void eventReceived(Action action, GenericKubernetesResource widget) {
              seen.complete(action + " " + widget.getMetadata().getName());
            }

            @Override
            public void onClose(WatcherException cause) {
              closed.complete(cause);
            }
          };
      var widgets = kube.widgets().inNamespace("default");
      try (var watch = widgets.watch(from(before), watcher)) {
        assertThat(closed.get(10, TimeUnit.SECONDS).isHttpGone()).isTrue();
      }
      String listed = widgets.list().getMetadata().getResourceVersion();
      try (var watch = widgets.watch(from(listed), watcher)) {
        kube.create("two");
        assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo("ADDED two");
      }
    }
  }

  private static io.fabric8.kubernetes.api.model.ListOptions from(String resourceVersion) {
    return new ListOptionsBuilder().withResourceVersion(resourceVersion).build();
  }

  @Test
  void nothingIsKeptUnlessAskedFor() throws IOException {
    try (KubeFixture kube = new KubeFixture()) {
      kube.create("one");
    }
    try (KubeFixture kube = new KubeFixture();
        var files = Files.list(dir)) {
      assertThat(kube.widget("one").get()).isNull();
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theFileIsForTheOwnerAlone() throws IOException {
    start().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileInUseIsRefusedAndLeftAlone() {
    try (KubeFixture kube = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(KeptStateException.class)
          .hasMessageContaining(file() + " is in use");
      kube.create("one");
    }
    try (KubeFixture kube = start()) {
      assertThat(kube.widget("one").get()).isNotNull();
    }
  }
}
