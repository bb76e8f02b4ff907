package dev.reprise.activities.report;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.kube.Texts;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Emits Kubernetes events on a Stack. What has been told before is told by a higher count of the
 * same event, so that a Stack in trouble for days leaves no heap of equal ones.
 */
final class EventWriter {
  private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
  private static final String COMPONENT = "reprise";

  /** The API server's own limit. */
  private static final int LONGEST = 1024;

  private final KubernetesClient client;
  private final String instance;

  /**
   * @param instance who reports, as the events name it
   */
  EventWriter(KubernetesClient client, String instance) {
    this.client = client;
    this.instance = instance;
  }

  /** An event that cannot be emitted is only logged: nothing depends on it. */
  void emit(StackRef stack, StackEvent event, Instant now) {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    try {
      if (!create(stack, event, time)) {
        named(stack, event)
            .edit(
                earlier ->
                    new EventBuilder(earlier)
                        .withCount(count(earlier.getCount()) + 1)
                        .withLastTimestamp(time)
                        .build());
      }
    } catch (KubernetesClientException e) {
      LOG.warn("{}: event {} was not emitted ({})", stack, event.reason(), e.getCode());
    }
  }

  private static int count(@Nullable Integer earlier) {
    return earlier == null ? 1 : earlier;
  }

  /** Whether it is new. */
  private boolean create(StackRef stack, StackEvent event, String time) {
    try {
      client
          .v1()
          .events()
          .inNamespace(stack.namespace())
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withName(name(stack, event))
                  .withNamespace(stack.namespace())
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withApiVersion(StackObjects.API_VERSION)
                  .withKind(StackObjects.KIND)
                  .withNamespace(stack.namespace())
                  .withName(stack.name())
                  .withUid(stack.uid())
                  .endInvolvedObject()
                  .withType(event.warning() ? "Warning" : "Normal")
                  .withReason(event.reason())
                  .withMessage(Texts.cut(event.message(), LONGEST))
                  .withFirstTimestamp(time)
                  .withLastTimestamp(time)
                  .withCount(1)
                  .withNewSource()
                  .withComponent(COMPONENT)
                  .endSource()
                  .withReportingComponent(COMPONENT)
                  .withReportingInstance(instance)
                  .build())
          .create();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  private Resource<Event> named(StackRef stack, StackEvent event) {
    return client.v1().events().inNamespace(stack.namespace()).withName(name(stack, event));
  }

  /** The same for the same event of the same Stack. */
  private static String name(StackRef stack, StackEvent event) {
    String whole = stack.uid() + '\n' + event;
    return stack.name()
        + '.'
        + UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8))
            .toString()
            .replace("-", "");
  }
}
