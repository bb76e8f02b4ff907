package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The names of Services and of pods behind them, as a cluster's DNS has them. A Service with an
 * address of its own has its pods' here, because nothing forwards.
 *
 * @param services all
 * @param pods all
 */
record ServiceNames(List<Service> services, List<Pod> pods) {
  private static final String DOMAIN = ".cluster.local";
  private static final String KIND = ".svc";

  /**
   * The addresses of a name; empty when there is no such name, an empty list when nobody is ready.
   */
  Optional<List<String>> addresses(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
    if (plain.endsWith(DOMAIN)) {
      plain = plain.substring(0, plain.length() - DOMAIN.length());
    }
    if (!plain.endsWith(KIND)) {
      return Optional.empty();
    }
    List<String> labels =
        List.of(plain.substring(0, plain.length() - KIND.length()).split("\\.", -1));
    return switch (labels.size()) {
      case 2 ->
          service(labels.get(0), labels.get(1))
              .map(service -> behind(service).map(ServiceNames::ip).toList());
      case 3 ->
          service(labels.get(1), labels.get(2))
              .map(
                  service ->
                      behind(service)
                          .filter(pod -> labels.get(0).equals(pod.getSpec().getHostname()))
                          .filter(pod -> labels.get(1).equals(pod.getSpec().getSubdomain()))
                          .map(ServiceNames::ip)
                          .toList())
              .filter(found -> !found.isEmpty());
      default -> Optional.empty();
    };
  }

  private Optional<Service> service(String name, String namespace) {
    return services.stream()
        .filter(service -> service.getMetadata().getName().equals(name))
        .filter(service -> service.getMetadata().getNamespace().equals(namespace))
        .findFirst();
  }

  private Stream<Pod> behind(Service service) {
    Map<String, String> selector = service.getSpec().getSelector();
    boolean all = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    return pods.stream()
        .filter(pod -> selector != null && !selector.isEmpty())
        .filter(pod -> matches(pod.getMetadata(), service.getMetadata().getNamespace(), selector))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> all || ready(pod));
  }

  private static boolean matches(ObjectMeta pod, String namespace, Map<String, String> selector) {
    return pod.getNamespace().equals(namespace)
        && pod.getLabels() != null
        && pod.getLabels().entrySet().containsAll(selector.entrySet());
  }

  private static boolean ready(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Ready") && condition.getStatus().equals("True"));
  }

  private static String ip(Pod pod) {
    return pod.getStatus().getPodIP();
  }
}
