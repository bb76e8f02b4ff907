package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The fields of a pod that its containers may ask for.
 *
 * @param pod the pod
 * @param podIp its address
 * @param hostIp its node's
 */
record PodFields(Pod pod, String podIp, String hostIp) {
  private static final Pattern KEYED =
      Pattern.compile("metadata\\.(labels|annotations)\\['(.*)'\\]");

  /** The value of a field, such as {@code metadata.namespace}. */
  String value(String path) {
    Matcher keyed = KEYED.matcher(path);
    if (keyed.matches()) {
      Map<String, String> all =
          keyed.group(1).equals("labels")
              ? pod.getMetadata().getLabels()
              : pod.getMetadata().getAnnotations();
      return all == null ? "" : all.getOrDefault(keyed.group(2), "");
    }
    return switch (path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      case "metadata.uid" -> pod.getMetadata().getUid();
      case "spec.nodeName" -> NodeHeartbeat.NAME;
      case "spec.serviceAccountName" ->
          Optional.ofNullable(pod.getSpec().getServiceAccountName()).orElse("default");
      case "status.podIP", "status.podIPs" -> podIp;
      case "status.hostIP", "status.hostIPs" -> hostIp;
      default -> throw new NotConfigured("unsupported fieldPath " + path);
    };
  }

  /** A request or limit of a container as a whole number of the divisor; none is 0. */
  String resource(Container own, ResourceFieldSelector selector) {
    Container container =
        Stream.concat(
                pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream())
            .filter(one -> one.getName().equals(selector.getContainerName()))
            .findFirst()
            .orElse(own);
    String[] path = selector.getResource().split("\\.", 2);
    if (container.getResources() == null || path.length < 2) {
      return "0";
    }
    Map<String, Quantity> amounts =
        path[0].equals("limits")
            ? container.getResources().getLimits()
            : container.getResources().getRequests();
    Quantity amount = amounts == null ? null : amounts.get(path[1]);
    if (amount == null) {
      return "0";
    }
    BigDecimal divisor =
        Optional.ofNullable(selector.getDivisor())
            .map(Quantity::getNumericalAmount)
            .filter(number -> number.signum() > 0)
            .orElse(BigDecimal.ONE);
    return amount.getNumericalAmount().divide(divisor, 0, RoundingMode.CEILING).toPlainString();
  }
}
