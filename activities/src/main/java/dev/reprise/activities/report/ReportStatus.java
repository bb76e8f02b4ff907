package dev.reprise.activities.report;

import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.ReportActivity;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mirrors a run's state into the Stack's status. */
public final class ReportStatus implements ReportActivity {
  private static final Logger LOG = LoggerFactory.getLogger(ReportStatus.class);

  private final StackObjects stacks;
  private final ResultSecrets results;
  private final StatusWriter writer;
  private final EventWriter events;
  private final InstantSource clock;

  /**
   * Reports through this client.
   *
   * @param cluster named by events as who reports
   */
  public ReportStatus(KubernetesClient client, String cluster, InstantSource clock) {
    this.stacks = new StackObjects(client);
    this.results = new ResultSecrets(client);
    this.writer = new StatusWriter(client, clock);
    this.events = new EventWriter(client, cluster);
    this.clock = clock;
  }

  @Override
  public ReportOutput report(ReportInput input) {
    return switch (stacks.get(input.stack())) {
      case StackLookup.Gone gone -> new ReportOutput(false);
      case StackLookup.Unreadable unreadable ->
          throw ApplicationFailure.newFailure(unreadable.detail(), "Unreadable");
      case StackLookup.Found found -> report(input, found.resource());
    };
  }

  private ReportOutput report(ReportInput input, GenericKubernetesResource resource) {
    StackStatus live = StackReader.status(resource);
    if (live.retry().sequence() > input.state().sequence()) {
      return new ReportOutput(false);
    }
    Instant now = clock.instant();
    var last = input.state().lastUpdate();
    boolean newUpdate = last.exists() && !last.name().equals(live.lastUpdate().name());
    List<Secret> secrets = newUpdate ? secrets(input.stack()) : List.of();
    Optional<Secret> result = ResultSecrets.named(secrets, last.name());
    Optional<Secret> success = ResultSecrets.lastSuccess(secrets);
    try {
      writer.write(input.stack(), StatusOf.status(input, live, result, success, now));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          && stacks.get(input.stack()) instanceof StackLookup.Gone) {
        return new ReportOutput(false);
      }
      throw e;
    }
    input.events().forEach(event -> events.emit(input.stack(), event, now));
    if (firstOfItsGeneration(input, live)) {
      IgnoredFields.event(resource, input.generation())
          .ifPresent(event -> events.emit(input.stack(), event, now));
    }
    if (newUpdate) {
      deleteOld(input.stack(), secrets, last.name(), success);
    }
    return new ReportOutput(true);
  }

  /** Also the first report about a Stack that another operator has reported on before. */
  private static boolean firstOfItsGeneration(ReportInput input, StackStatus live) {
    return input.generation() != live.observedGeneration() || live.retry().equals(RetryStatus.NONE);
  }

  /** The status does not wait for the right to read Secrets, or for them. */
  private List<Secret> secrets(StackRef stack) {
    try {
      return results.of(stack);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      LOG.warn(
          "{}: outputs are not shown: grant list on secrets in namespace {}",
          stack,
          stack.namespace());
      return List.of();
    }
  }

  private void deleteOld(
      StackRef stack, List<Secret> secrets, String update, Optional<Secret> success) {
    Set<String> kept = new HashSet<>();
    kept.add(ResultSecret.name(update));
    success.ifPresent(secret -> kept.add(secret.getMetadata().getName()));
    try {
      results.deleteOthers(secrets, kept);
    } catch (KubernetesClientException e) {
      LOG.warn("{}: old results were not deleted ({})", stack, e.getCode());
    }
  }
}
