package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final KubeFixture kube =
      new KubeFixture(EmbeddedKubernetes.Options.defaults().keepingEvents(8));

  @AfterEach
  void stop() {
    kube.close();
  }

  /** What a watch or informer has told, such as {@code ADDED one}. */
  private static final class Seen
      implements Watcher<GenericKubernetesResource>,
          ResourceEventHandler<GenericKubernetesResource> {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<WatcherException> failure = new CompletableFuture<>();

    @Override
    public void eventReceived(Action action, GenericKubernetesResource widget) {
      events.add(action + " " + widget.getMetadata().getName());
    }

    @Override
    public void onClose(WatcherException cause) {
      failure.complete(cause);
    }

    @Override
    public void onAdd(GenericKubernetesResource widget) {
      events.add("ADDED " + widget.getMetadata().getName());
    }

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource widget) {
      events.add("MODIFIED " + widget.getMetadata().getName());
    }

    @Override
    public void onDelete(GenericKubernetesResource widget, boolean unknown) {
      events.add("DELETED " + widget.getMetadata().getName());
    }
  }

  @Test
  void aWatchTellsOfEveryChange() {
    kube.create("old");
    Seen seen = new Seen();
    try (var watch = kube.widgets().inNamespace("default").watch(seen)) {
      await().until(() -> seen.events.contains("ADDED old"));
      kube.create("one");
      kube.applyStatus("one", "m", true, "phase: up");
      kube.widget("one").delete();
      await()
          .untilAsserted(
              () ->
                  assertThat(seen.events)
                      .containsExactly("ADDED old", "ADDED one", "MODIFIED one", "DELETED one"));
    }
    await().until(() -> kube.server.openWatches() == 0);
  }

  @Test
  void aWatchResumesFromAResourceVersion() {
    String from = kube.create("one").getMetadata().getResourceVersion();
    kube.create("two");
    Seen seen = new Seen();
    try (var watch =
        kube.widgets()
            .inNamespace("default")
            .watch(new ListOptionsBuilder().withResourceVersion(from).build(), seen)) {
      await().untilAsserted(() -> assertThat(seen.events).containsExactly("ADDED two"));
    }
  }

  @Test
  void aResourceVersionThatIsTooOldIsGone() {
    String from = kube.create("one").getMetadata().getResourceVersion();
    for (int i = 0; i < 20; i++) {
      kube.applyStatus("one", "m", true, "count: " + i);
    }
    Seen seen = new Seen();
    try (var watch =
        kube.widgets()
            .inNamespace("default")
            .watch(new ListOptionsBuilder().withResourceVersion(from).build(), seen)) {
      await().until(seen.failure::isDone);
      assertThat(seen.failure.join().isHttpGone()).isTrue();
    }
  }

  @Test
  void anObjectThatLeavesTheSelectionIsDeletedForTheWatch() {
    kube.create("one");
    Seen seen = new Seen();
    try (var watch = kube.widgets().inNamespace("default").withLabel("on", "yes").watch(seen)) {
      await().until(() -> kube.server.openWatches() == 1);
      kube.widget("one").edit(w -> label(w, "yes"));
      kube.widget("one").edit(w -> label(w, "no"));
      await()
          .untilAsserted(() -> assertThat(seen.events).containsExactly("ADDED one", "DELETED one"));
    }
  }

  private static GenericKubernetesResource label(GenericKubernetesResource widget, String value) {
    widget.getMetadata().setLabels(Map.of("on", value));
    return widget;
  }

  @Test
  void anInformerSurvivesClosedWatchesAndALostPast() {
    Seen seen = new Seen();
    try (var informer = kube.widgets().inNamespace("default").inform(seen)) {
      kube.create("one");
      await().until(() -> seen.events.contains("ADDED one"));
      kube.server.faults().closeWatches();
      kube.create("two");
      await().until(() -> seen.events.contains("ADDED two"));

      kube.server.faults().answer(1, r -> r.is("watch", "widgets.example.com"), 500);
      kube.server.faults().closeWatches();
      kube.create("three");
      kube.server.faults().forgetHistory();
      await()
          .atMost(java.time.Duration.ofSeconds(20))
          .until(() -> seen.events.contains("ADDED three"));
      assertThat(kube.server.requests().count("list", "widgets.example.com")).isGreaterThan(1);
    }
  }

  @Test
  void aSilentWatchStaysOpenAndTellsNothing() {
    Seen seen = new Seen();
    try (var watch = kube.widgets().inNamespace("default").watch(seen)) {
      await().until(() -> kube.server.openWatches() == 1);
      kube.server.faults().silenceWatches();
      kube.create("lost");
      kube.server.faults().clear();
      kube.create("told");
      await().untilAsserted(() -> assertThat(seen.events).containsExactly("ADDED told"));
    }
  }

  @Test
  void aChunkedWatchEndsAfterItsTimeout() throws Exception {
    kube.create("one");
    var answer =
        kube.http(
            "GET",
            "/apis/example.com/v1/widgets?watch=true&resourceVersion=0&timeoutSeconds=1",
            "",
            "");
    assertThat(answer.body().lines()).singleElement().asString().contains("\"type\":\"ADDED\"");
  }
}
