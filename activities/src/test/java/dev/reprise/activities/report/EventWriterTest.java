package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventWriterTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final StackEvent CONFLICT = new StackEvent(true, "StackUpdateFailure", "locked");

  private final Cluster cluster = Cluster.start();
  private final EventWriter writer = new EventWriter(cluster.client, "c1");

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theSameAgainIsOneEventWithAHigherCount() {
    StackRef web = cluster.stack("web", Map.of("stack", "dev"));
    writer.emit(web, CONFLICT, NOW);
    writer.emit(web, CONFLICT, NOW.plusSeconds(15));
    writer.emit(web, CONFLICT, NOW.plusSeconds(30));
    assertThat(events())
        .singleElement()
        .satisfies(event -> assertThat(event.getCount()).isEqualTo(3))
        .satisfies(event -> assertThat(event.getFirstTimestamp()).isEqualTo("2026-12-01T12:00:00Z"))
        .satisfies(event -> assertThat(event.getLastTimestamp()).isEqualTo("2026-12-01T12:00:30Z"));
  }

  @Test
  void anotherStackMessageOrReasonIsAnotherEvent() {
    StackRef web = cluster.stack("web", Map.of("stack", "dev"));
    StackRef db = cluster.stack("db", Map.of("stack", "dev"));
    writer.emit(web, CONFLICT, NOW);
    writer.emit(db, CONFLICT, NOW);
    writer.emit(web, new StackEvent(true, "StackUpdateFailure", "boom"), NOW);
    writer.emit(web, new StackEvent(true, "StackConfigInvalid", "locked"), NOW);
    assertThat(events()).hasSize(4).allSatisfy(event -> assertThat(event.getCount()).isEqualTo(1));
  }

  private List<Event> events() {
    return cluster.client.v1().events().inNamespace(Cluster.NAMESPACE).list().getItems();
  }
}
