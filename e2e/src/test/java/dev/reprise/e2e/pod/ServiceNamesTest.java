package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceNamesTest {

  private static Service service(String name, boolean notReadyToo) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace("apps")
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addToSelector("app", "web")
        .withPublishNotReadyAddresses(notReadyToo)
        .endSpec()
        .build();
  }

  private static Pod pod(String name, String namespace, String ip, String ready) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .addToLabels("app", "web")
        .addToLabels("more", "yes")
        .endMetadata()
        .withNewSpec()
        .withHostname(name)
        .withSubdomain("web")
        .endSpec()
        .withNewStatus()
        .withPodIP(ip)
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .endCondition()
        .endStatus()
        .build();
  }

  private final ServiceNames names =
      new ServiceNames(
          List.of(service("web", false), service("early", true)),
          List.of(
              pod("web-0", "apps", "10.0.0.2", "True"),
              pod("web-1", "apps", "10.0.0.3", "False"),
              pod("web-0", "other", "10.0.0.4", "True")));

  @Test
  void aServiceHasItsReadyPods() {
    assertThat(names.addresses("web.apps.svc.cluster.local.")).contains(List.of("10.0.0.2"));
    assertThat(names.addresses("WEB.apps.svc")).contains(List.of("10.0.0.2"));
  }

  @Test
  void aServiceThatPublishesAllHasAll() {
    assertThat(names.addresses("early.apps.svc")).contains(List.of("10.0.0.2", "10.0.0.3"));
  }

  @Test
  void aReadyPodHasANameUnderItsService() {
    assertThat(names.addresses("web-0.web.apps.svc")).contains(List.of("10.0.0.2"));
    assertThat(names.addresses("web-1.web.apps.svc")).isEmpty();
    assertThat(names.addresses("web-0.early.apps.svc")).isEmpty();
  }

  @Test
  void otherNamesDoNotExist() {
    assertThat(names.addresses("web.other.svc")).isEmpty();
    assertThat(names.addresses("web.apps")).isEmpty();
    assertThat(names.addresses("example.com.")).isEmpty();
    assertThat(names.addresses("svc.cluster.local.")).isEmpty();
  }
}
