package dev.reprise.agent;

import dev.reprise.agent.engine.Engines;
import dev.reprise.agent.kube.KubernetesCheck;
import dev.reprise.agent.operation.Durable;
import dev.reprise.agent.operation.Operations;
import dev.reprise.agent.process.Launcher;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running agent. It serves {@code agent.AutomationService} and {@code
 * reprise.agent.v1.OperationService} and writes where to {@code agent.json}, see {@link
 * AgentAddress}. It installs no signal handler: a program that is one agent adds a shutdown hook
 * that calls {@link #close}.
 */
public final class AgentServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentServer.class);

  /** The operator's client accepts messages of this size; grpc-java's default is 4 MiB. */
  private static final int MAX_MESSAGE = 400 * 1024 * 1024;

  private static final int MAX_METADATA = 16 * 1024 * 1024;
  private static final Duration CLIENT_PING = Duration.ofSeconds(10);
  private static final Duration SERVER_PING = Duration.ofSeconds(60);
  private static final Duration LOSS_CHECK = Duration.ofSeconds(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final AgentConfig config;
  private final FileChannel lock;
  private final Operations operations;
  private final ExecutorService calls;
  private final ScheduledExecutorService timer;
  private final Server server;
  private final Clients clients;
  private boolean closed;

  private AgentServer(AgentConfig config, FileChannel lock, Operations operations, Engines engines)
      throws IOException {
    this.config = config;
    this.lock = lock;
    this.operations = operations;
    this.clients = new Clients(config.clock());
    this.calls =
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("agent-call-", 0).factory());
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("agent-timer").factory());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()))
            .executor(calls)
            .maxInboundMessageSize(MAX_MESSAGE)
            .maxInboundMetadataSize(MAX_METADATA)
            .permitKeepAliveTime(CLIENT_PING.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .keepAliveTime(SERVER_PING.toSeconds(), TimeUnit.SECONDS)
            .addTransportFilter(clients)
            .addService(new AutomationServer(engines, operations));
    if (!config.plain()) {
      builder.addService(new OperationServer(operations)).intercept(new OperationId());
    }
    switch (config.access()) {
      case Access.Open open -> {}
      case Access.Token token -> builder.intercept(new TokenCheck(token.value()));
      case Access.Kubernetes kubernetes ->
          builder.intercept(
              new KubernetesCheck(
                  kubernetes.workspace(), kubernetes.cluster(), calls, config.clock()));
    }
    this.server = builder.build().start();
  }

  /**
   * Starts an agent. What a former agent with the same state folder left running is ended first,
   * which may take the grace period.
   *
   * @throws IOException if the address is taken, or the state folder is unusable or in use
   */
  public static AgentServer start(AgentConfig config) throws IOException, InterruptedException {
    Path stateDir = Durable.folder(config.stateDir().toAbsolutePath());
    FileChannel lock = lock(stateDir);
    try {
      Launcher launcher = new Launcher(stateDir);
      Operations operations =
          new Operations(stateDir, launcher, config.cancelGrace(), config.clock());
      try {
        return serve(config, stateDir, lock, launcher, operations);
      } catch (IOException | RuntimeException e) {
        operations.close();
        throw e;
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static AgentServer serve(
      AgentConfig config, Path stateDir, FileChannel lock, Launcher launcher, Operations operations)
      throws IOException {
    Engines engines =
        new Engines(
            config.workspace(),
            stateDir,
            config.childEnvironment(),
            config.childSecrets(),
            config.pulumiLogLevel(),
            launcher,
            config.clock());
    AgentServer agent = new AgentServer(config, lock, operations, engines);
    AgentAddress.current(config.host(), agent.port()).write(stateDir);
    agent.watchForLoss();
    log.info("agent for {} listens on {}:{}", config.workspace(), config.host(), agent.port());
    return agent;
  }

  private static FileChannel lock(Path stateDir) throws IOException {
    FileChannel channel =
        FileChannel.open(
            stateDir.resolve("agent.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException sameProcess) {
      log.debug("the state folder is in use by this very process", sameProcess);
    }
    channel.close();
    throw new IOException("another agent is using the state folder " + stateDir);
  }

  /** The port it really listens on. */
  public int port() {
    return server.getPort();
  }

  /** Waits until the agent has ended, by {@link #close} or by the loss limit. */
  public void awaitTermination() throws InterruptedException {
    server.awaitTermination();
    synchronized (this) {
      while (!closed) {
        wait();
      }
    }
  }

  private void watchForLoss() {
    if (!config.lossLimit().isZero()) {
      ScheduledFuture<?> untilClosed =
          timer.scheduleWithFixedDelay(
              this::endIfLost, LOSS_CHECK.toMillis(), LOSS_CHECK.toMillis(), TimeUnit.MILLISECONDS);
      log.debug("loss limit {}: {}", config.lossLimit(), untilClosed);
    }
  }

  private void endIfLost() {
    if (clients.alone().compareTo(config.lossLimit()) >= 0) {
      log.warn("nobody has been connected for {}: the agent ends", config.lossLimit());
      close();
    }
  }

  /**
   * Ends the agent: a running operation is cancelled gracefully and its result kept; no new call is
   * taken. Returns when all is done; a second call does nothing.
   */
  @Override
  public void close() {
    server.shutdown();
    try {
      operations.close();
    } catch (IOException e) {
      log.error("the journal could not be closed", e);
    }
    try {
      if (!server.awaitTermination(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    cleanUp();
  }

  private synchronized void cleanUp() {
    if (closed) {
      return;
    }
    closed = true;
    timer.shutdown();
    calls.shutdown();
    try {
      Files.deleteIfExists(config.stateDir().resolve(AgentAddress.FILE));
      lock.close();
    } catch (IOException e) {
      log.error("the state folder could not be released", e);
    }
    notifyAll();
  }
}
