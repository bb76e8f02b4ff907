package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks one running container how it is, until it is told that the container has ended. */
final class Probes {
  private final Container container;
  private final String podIp;
  private final Predicate<List<String>> exec;
  private final Listener listener;
  private final Stop ended = new Stop();

  /** Who hears of changes. */
  interface Listener {
    /** It may be called, or no more. */
    void ready(boolean ready);

    /** It has to be started again. */
    void unhealthy();
  }

  /**
   * Not yet asking.
   *
   * @param exec runs a command inside; whether it succeeded
   */
  Probes(Container container, String podIp, Predicate<List<String>> exec, Listener listener) {
    this.container = container;
    this.podIp = podIp;
    this.exec = exec;
    this.listener = listener;
  }

  /** Starts to ask. Without a probe a container that runs is ready. */
  void start() {
    Probe readiness = container.getReadinessProbe();
    Probe liveness = container.getLivenessProbe();
    Probe startup = container.getStartupProbe();
    if (readiness == null && startup == null) {
      listener.ready(true);
    }
    Thread.startVirtualThread(
        () -> {
          if (startup != null && !started(startup)) {
            return;
          }
          if (readiness != null) {
            Thread.startVirtualThread(() -> watchReadiness(readiness));
          } else if (startup != null) {
            listener.ready(true);
          }
          if (liveness != null) {
            Thread.startVirtualThread(() -> watchLiveness(liveness));
          }
        });
  }

  /** The container has ended. */
  void stop() {
    ended.request();
  }

  private boolean started(Probe probe) {
    int failures = 0;
    while (!ended.within(failures == 0 ? delay(probe) : period(probe))) {
      if (passes(probe)) {
        return true;
      }
      failures++;
      if (failures >= threshold(probe)) {
        listener.unhealthy();
        return false;
      }
    }
    return false;
  }

  private void watchReadiness(Probe probe) {
    int failures = 0;
    boolean ready = false;
    Duration wait = delay(probe);
    while (!ended.within(wait)) {
      boolean passed = passes(probe);
      failures = passed ? 0 : failures + 1;
      if (passed != ready && (passed || failures >= threshold(probe))) {
        ready = passed;
        if (!ended.isRequested()) {
          listener.ready(ready);
        }
      }
      // A container that is not ready yet is asked more often, as a kubelet does at its start.
      wait = ready ? period(probe) : Duration.ofSeconds(1);
    }
  }

  private void watchLiveness(Probe probe) {
    int failures = 0;
    Duration wait = delay(probe);
    while (!ended.within(wait)) {
      failures = passes(probe) ? 0 : failures + 1;
      if (failures >= threshold(probe)) {
        listener.unhealthy();
        return;
      }
      wait = period(probe);
    }
  }

  private boolean passes(Probe probe) {
    try {
      if (probe.getHttpGet() != null) {
        return answers(probe.getHttpGet(), timeout(probe));
      }
      if (probe.getTcpSocket() != null) {
        return connects(port(probe.getTcpSocket().getPort()), timeout(probe));
      }
      if (probe.getGrpc() != null) {
        return connects(probe.getGrpc().getPort(), timeout(probe));
      }
      return probe.getExec() == null || exec.test(probe.getExec().getCommand());
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean answers(HTTPGetAction action, Duration limit)
      throws IOException, InterruptedException {
    String scheme = Optional.ofNullable(action.getScheme()).orElse("HTTP").toLowerCase(Locale.ROOT);
    String path = Optional.ofNullable(action.getPath()).orElse("/");
    URI uri = URI.create(scheme + "://" + podIp + ":" + port(action.getPort()) + path);
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(limit).build()) {
      HttpRequest request = HttpRequest.newBuilder(uri).timeout(limit).build();
      int status = client.send(request, BodyHandlers.discarding()).statusCode();
      client.shutdownNow();
      return status >= 200 && status < 400;
    }
  }

  private boolean connects(int port, Duration limit) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(podIp, port), (int) limit.toMillis());
      return true;
    }
  }

  private int port(IntOrString port) {
    if (port.getIntVal() != null) {
      return port.getIntVal();
    }
    return container.getPorts().stream()
        .filter(one -> port.getStrVal().equals(one.getName()))
        .findFirst()
        .orElseThrow(() -> new NotConfigured("no port is named " + port.getStrVal()))
        .getContainerPort();
  }

  private static Duration delay(Probe probe) {
    return Duration.ofSeconds(orElse(probe.getInitialDelaySeconds(), 0));
  }

  private static Duration period(Probe probe) {
    return Duration.ofSeconds(orElse(probe.getPeriodSeconds(), 10));
  }

  private static Duration timeout(Probe probe) {
    return Duration.ofSeconds(orElse(probe.getTimeoutSeconds(), 1));
  }

  private static int threshold(Probe probe) {
    return orElse(probe.getFailureThreshold(), 3);
  }

  private static int orElse(@Nullable Integer number, int other) {
    return number == null ? other : number;
  }
}
