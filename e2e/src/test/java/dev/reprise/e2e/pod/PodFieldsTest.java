package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceFieldSelectorBuilder;
import org.junit.jupiter.api.Test;

class PodFieldsTest {
  private static final Container MAIN =
      new ContainerBuilder()
          .withName("main")
          .withNewResources()
          .addToRequests("memory", new Quantity("64Mi"))
          .addToLimits("cpu", new Quantity("1500m"))
          .endResources()
          .build();
  private final PodFields fields =
      new PodFields(
          new PodBuilder()
              .withNewMetadata()
              .withName("web-0")
              .withNamespace("apps")
              .addToLabels("app.kubernetes.io/name", "web")
              .endMetadata()
              .withNewSpec()
              .addToContainers(MAIN)
              .endSpec()
              .build(),
          "10.0.0.2",
          "10.0.0.1");

  private static ResourceFieldSelector resource(String name) {
    return new ResourceFieldSelectorBuilder()
        .withResource(name)
        .withDivisor(new Quantity("0"))
        .build();
  }

  @Test
  void aFieldHasTheValueOfThePod() {
    assertThat(fields.value("metadata.namespace")).isEqualTo("apps");
    assertThat(fields.value("status.podIP")).isEqualTo("10.0.0.2");
    assertThat(fields.value("metadata.labels['app.kubernetes.io/name']")).isEqualTo("web");
    assertThat(fields.value("metadata.annotations['none']")).isEmpty();
    assertThatThrownBy(() -> fields.value("spec.hostname")).isInstanceOf(NotConfigured.class);
  }

  @Test
  void anAmountIsInWholeUnits() {
    assertThat(fields.resource(MAIN, resource("requests.memory"))).isEqualTo("67108864");
    assertThat(fields.resource(MAIN, resource("limits.cpu"))).isEqualTo("2");
    assertThat(fields.resource(MAIN, resource("limits.memory"))).isEqualTo("0");
    ResourceFieldSelector mebibytes = resource("requests.memory");
    mebibytes.setDivisor(new Quantity("1Mi"));
    assertThat(fields.resource(MAIN, mebibytes)).isEqualTo("64");
  }
}
