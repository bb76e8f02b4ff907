package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.dev.PortInUseException;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerTest {
  private final KubeFixture kube = new KubeFixture();

  @AfterEach
  void stop() {
    kube.close();
  }

  @Test
  void aTakenPortIsNamed() {
    int port = kube.server.url().getPort();
    assertThatThrownBy(
            () -> EmbeddedKubernetes.start(EmbeddedKubernetes.Options.defaults().onPort(port)))
        .isInstanceOf(PortInUseException.class)
        .hasMessageContaining("127.0.0.1:" + port);
  }

  @Test
  void theKubeconfigLeadsHere() {
    Config config = Config.fromKubeconfig(kube.server.kubeconfig());
    try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
      assertThat(client.namespaces().list().getItems())
          .extracting(namespace -> namespace.getMetadata().getName())
          .containsExactly("default", "kube-system");
      assertThat(client.getKubernetesVersion().getMajor()).isEqualTo("1");
    }
  }

  @Test
  void discoveryTellsOfBuiltInKindsAndOfCrds() {
    assertThat(kube.client.getApiResources("v1").getResources())
        .extracting("name")
        .contains("secrets", "pods", "namespaces");
    assertThat(kube.client.getApiResources("example.com/v1").getResources())
        .extracting("name")
        .containsExactly("widgets", "widgets/status");
    assertThat(kube.client.hasApiGroup("example.com", true)).isTrue();
    assertThat(kube.client.hasApiGroup("none.example.com", true)).isFalse();
  }

  @Test
  void theStableVersionIsPreferred() {
    CustomResourceDefinition crd = KubeFixture.widgetCrd();
    CustomResourceDefinitionVersion old =
        kube.client.getKubernetesSerialization().clone(crd.getSpec().getVersions().getFirst());
    old.setName("v1alpha1");
    old.setStorage(false);
    crd.getSpec().getVersions().add(old);
    kube.client.resource(crd).forceConflicts().serverSideApply();
    assertThat(kube.client.getApiGroup("example.com").getPreferredVersion().getVersion())
        .isEqualTo("v1");
    kube.create("one");
    var sameInOld =
        kube.client
            .genericKubernetesResources("example.com/v1alpha1", "Widget")
            .inNamespace("default")
            .withName("one")
            .get();
    assertThat(sameInOld.getApiVersion()).isEqualTo("example.com/v1alpha1");
  }

  @Test
  void aTokenIsIssuedForAServiceAccount() {
    kube.client
        .resource(
            new ServiceAccountBuilder().withNewMetadata().withName("agent").endMetadata().build())
        .create();
    var issued =
        kube.client
            .serviceAccounts()
            .inNamespace("default")
            .withName("agent")
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withAudiences("x")
                    .withExpirationSeconds(600L)
                    .endSpec()
                    .build());
    assertThat(issued.getStatus().getToken()).isNotEmpty();
    assertThat(issued.getStatus().getExpirationTimestamp()).isNotEmpty();
  }

  @Test
  void requestsAreCountedAndCanBeMadeToFail() {
    kube.server.faults().answer(1, request -> request.name().equals("one"), 503);
    assertThat(KubeFixture.refusal(() -> kube.widget("one").get())).isEqualTo(503);
    assertThat(kube.widget("one").get()).isNull();
    assertThat(kube.server.requests().count("get", "widgets.example.com")).isEqualTo(2);
    kube.server.requests().reset();
    assertThat(kube.server.requests().all()).isEmpty();
  }

  @Test
  void aDelayedRequestIsAnsweredInTheEnd() {
    kube.server
        .faults()
        .delay(1, request -> request.is("list", "widgets.example.com"), Duration.ofMillis(50));
    assertThat(kube.widgets().inAnyNamespace().list().getItems()).isEmpty();
  }

  @Test
  void metadataAloneCanBeAskedFor() throws Exception {
    kube.create("one");
    var request =
        java.net.http.HttpRequest.newBuilder(
                kube.server.url().resolve("/apis/example.com/v1/widgets"))
            .header("Authorization", "Bearer " + kube.server.token())
            .header("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
            .build();
    try (var http = java.net.http.HttpClient.newHttpClient()) {
      String body = http.send(request, java.net.http.HttpResponse.BodyHandlers.ofString()).body();
      assertThat(body).contains("PartialObjectMetadataList", "\"name\":\"one\"");
      assertThat(body).doesNotContain("\"spec\"");
    }
  }
}
