package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrivilegesTest {
  private static final Image IMAGE =
      new Image(List.of(), List.of(), Map.of(), new Image.User(65532, 65532));

  private static Container container() {
    return new ContainerBuilder().withName("main").build();
  }

  @Test
  void theContainersUserGoesBeforeThePodsAndTheImages() {
    PodSpec pod =
        new PodSpecBuilder()
            .withNewSecurityContext()
            .withRunAsUser(1000L)
            .withFsGroup(7L)
            .endSecurityContext()
            .build();
    Container own =
        new ContainerBuilder()
            .withNewSecurityContext()
            .withRunAsUser(1L)
            .endSecurityContext()
            .build();

    assertThat(Privileges.of(new PodSpec(), container(), IMAGE).uid()).isEqualTo(65532);
    assertThat(Privileges.of(pod, container(), IMAGE).uid()).isEqualTo(1000);
    assertThat(Privileges.of(pod, container(), IMAGE).gid()).isEqualTo(65532);
    assertThat(Privileges.of(pod, own, IMAGE).uid()).isEqualTo(1);
    assertThat(Privileges.of(pod, own, IMAGE).command()).contains("--reuid=1", "--groups=7");
  }

  @Test
  void capabilitiesAreDroppedAndAddedToWhatRuntimesLeave() {
    Container strict =
        new ContainerBuilder()
            .withNewSecurityContext()
            .withAllowPrivilegeEscalation(false)
            .withNewCapabilities()
            .addToDrop("ALL")
            .addToAdd("NET_BIND_SERVICE")
            .endCapabilities()
            .endSecurityContext()
            .build();

    assertThat(Privileges.of(new PodSpec(), container(), IMAGE).capabilities()).contains("chown");
    assertThat(Privileges.of(new PodSpec(), strict, IMAGE).command())
        .contains("--bounding-set=-all,+net_bind_service", "--no-new-privs");
  }

  @Test
  void anImageOfRootIsRefusedWhereThePodForbidsIt() {
    PodSpec pod =
        new PodSpecBuilder()
            .withNewSecurityContext()
            .withRunAsNonRoot(true)
            .endSecurityContext()
            .build();
    Image root = new Image(List.of(), List.of(), Map.of(), Image.ROOT);

    assertThatThrownBy(() -> Privileges.of(pod, container(), root))
        .isInstanceOf(NotConfigured.class)
        .hasMessageContaining("runAsNonRoot");
  }
}
