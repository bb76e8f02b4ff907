package dev.reprise.activities.report;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.kube.Texts;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Emits Kubernetes events on a Stack. */
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
      client
          .v1()
          .events()
          .inNamespace(stack.namespace())
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withGenerateName(stack.name() + ".")
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
    } catch (KubernetesClientException e) {
      LOG.warn("{}: event {} was not emitted ({})", stack, event.reason(), e.getCode());
    }
  }
}
