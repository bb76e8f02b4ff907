package dev.reprise.dev.temporal;

import dev.reprise.dev.PortInUseException;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.internal.testservice.GRPCServerHelper;
import io.temporal.internal.testservice.TestServicesStarter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporal's test server in this JVM, on loopback and in real time (time skipping is locked). It
 * keeps everything in memory and has no Web UI and no visibility queries.
 */
public final class EmbeddedTemporal implements TemporalService {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedTemporal.class);
  private static final long CLOSE_SECONDS = 5;

  /** The SDK sends a keep-alive every 30 s; gRPC's default would refuse that as too often. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private final TestServicesStarter services;
  private final Server server;

  private EmbeddedTemporal(TestServicesStarter services, Server server) {
    this.services = services;
    this.server = server;
  }

  /** Starts on a free port. */
  public static EmbeddedTemporal start() {
    return start(0);
  }

  /**
   * Starts on a port, or on a free one for 0.
   *
   * @throws PortInUseException when the port is taken
   */
  public static EmbeddedTemporal start(int port) {
    // The public TestServer listens on all interfaces, so its parts are put together here.
    TestServicesStarter services = new TestServicesStarter(true, 0);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .permitKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .intercept(new OvertakenTasks(services.getWorkflowService()));
    GRPCServerHelper.registerServicesAndHealthChecks(services.getServices(), builder);
    try {
      return new EmbeddedTemporal(services, builder.build().start());
    } catch (IOException e) {
      services.close();
      if (PortInUseException.isBehind(e)) {
        throw new PortInUseException("the embedded Temporal service", port, e);
      }
      throw new IllegalStateException("the embedded Temporal service did not start", e);
    }
  }

  @Override
  public String target() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public Optional<URI> webUi() {
    return Optional.empty();
  }

  @Override
  public void close() {
    services.close();
    server.shutdownNow();
    try {
      if (!server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the embedded Temporal service still has calls after {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
