package dev.reprise.dev.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.dev.PortInUseException;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporalServicesTest {
  @TempDir private Path folder;

  private TemporalServices.Options options(boolean embeddedOnly) {
    return new TemporalServices.Options(
        0, 0, folder, Map.of("StackName", "Keyword", "StackFailures", "Int"), embeddedOnly);
  }

  private Map<String, String> programThat(String script) throws IOException {
    Path program = folder.resolve("temporal");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Map.of("PATH", "/nowhere:" + folder);
  }

  private static void assertServes(String target) {
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(target).build());
    try {
      assertThat(stubs.blockingStub().getSystemInfo(GetSystemInfoRequest.getDefaultInstance()))
          .isNotNull();
    } finally {
      stubs.shutdownNow();
    }
  }

  @Test
  void withoutAnythingElseTheServiceIsEmbedded() {
    try (TemporalService service = TemporalServices.choose(Map.of(), options(false))) {
      assertThat(service).isInstanceOf(EmbeddedTemporal.class);
      assertThat(service.webUi()).isEmpty();
      assertServes(service.target());
    }
  }

  @Test
  void theEmbeddedServiceListensOnLoopbackOnly() throws IOException {
    try (EmbeddedTemporal service = EmbeddedTemporal.start()) {
      int port = Integer.parseInt(service.target().replaceFirst(".*:", ""));
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(each.getInetAddresses())) {
          if (!address.isLoopbackAddress()) {
            // An address of an interface without a route is refused in other words than "connect".
            assertThatThrownBy(() -> connect(address, port)).isInstanceOf(SocketException.class);
          }
        }
      }
    }
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(address, port), 5_000);
    }
  }

  @Test
  void aTakenPortIsNamed() {
    try (EmbeddedTemporal service = EmbeddedTemporal.start()) {
      int port = Integer.parseInt(service.target().replaceFirst(".*:", ""));
      assertThatThrownBy(() -> EmbeddedTemporal.start(port))
          .isInstanceOf(PortInUseException.class)
          .hasMessageContaining("127.0.0.1:" + port);
    }
  }

  @Test
  void aGivenAddressIsUsedAndNothingIsStarted() throws IOException {
    Map<String, String> environment =
        Map.of(
            "TEMPORAL_ADDRESS",
            "temporal.example.com:7233",
            "PATH",
            programThat("exit 1").getOrDefault("PATH", ""));
    try (TemporalService service = TemporalServices.choose(environment, options(false))) {
      assertThat(service.target()).isEqualTo("temporal.example.com:7233");
      assertThat(service).isInstanceOf(ExternalTemporal.class);
    }
  }

  @Test
  void theProgramOnThePathIsStartedAndEnded() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Map<String, String> environment =
        programThat(
            "exec '%s' -cp '%s' %s \"$@\""
                .formatted(
                    java, System.getProperty("java.class.path"), FakeTemporal.class.getName()));
    TemporalCli child;
    try (TemporalService service = TemporalServices.choose(environment, options(false))) {
      child = (TemporalCli) service;
      assertServes(service.target());
      assertThat(service.webUi()).isPresent();
      assertThat(folder.resolve("temporal.log"))
          .content()
          .contains(
              "--search-attribute StackFailures=Int --search-attribute StackName=Keyword",
              "--ip 127.0.0.1",
              "temporal.db");
    }
    assertThat(child.isAlive()).isFalse();
  }

  @Test
  void theProgramCanBePassedOver() throws IOException {
    try (TemporalService service = TemporalServices.choose(programThat("exit 1"), options(true))) {
      assertThat(service).isInstanceOf(EmbeddedTemporal.class);
    }
  }

  @Test
  void aProgramThatDiesAtStartShowsItsLastLines() throws IOException {
    Map<String, String> environment = programThat("echo the database is locked; exit 3");
    assertThatThrownBy(() -> TemporalServices.choose(environment, options(false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exit code 3")
        .hasMessageContaining("the database is locked");
  }
}
