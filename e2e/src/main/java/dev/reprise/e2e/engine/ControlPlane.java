package dev.reprise.e2e.engine;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A real Kubernetes control plane: etcd, the API server with RBAC, the controller manager. Nothing
 * runs its pods; that is the pod runner's part.
 */
public final class ControlPlane implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(3);
  private static final String ADMIN = "e2e-admin";

  private final Path folder;
  private final String host;
  private final int port;
  private final Daemon etcd;
  private final Daemon apiServer;
  private final Daemon controllers;

  /**
   * Starts one and waits until it answers.
   *
   * @param programs where the engines are
   * @param folder for its data, certificates and logs
   * @param host the address it listens at
   */
  public ControlPlane(Programs programs, Path folder, String host) {
    this.folder = folder;
    this.host = host;
    this.port = Ports.free(host);
    TextFiles.write(folder.resolve("sa.key"), serviceAccountKey());
    TextFiles.write(folder.resolve("tokens.csv"), ADMIN + ",admin,admin-uid,\"system:masters\"\n");
    int etcdPort = Ports.free("127.0.0.1");
    this.etcd = Daemon.of(etcd(programs, etcdPort));
    this.apiServer = Daemon.of(apiServer(programs, etcdPort));
    awaitReady();
    TextFiles.write(folder.resolve("admin.kubeconfig"), kubeconfig(ADMIN));
    this.controllers = Daemon.of(controllers(programs));
    awaitServiceAccounts();
  }

  private Daemon.Recipe etcd(Programs programs, int etcdPort) {
    String url = "http://127.0.0.1:" + etcdPort;
    String peers = "http://127.0.0.1:" + Ports.free("127.0.0.1");
    return new Daemon.Recipe(
        "etcd",
        folder,
        Map.of(),
        List.of(
            programs.path("etcd"),
            "--data-dir=etcd",
            "--listen-client-urls=" + url,
            "--advertise-client-urls=" + url,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=default=" + peers,
            "--unsafe-no-fsync",
            "--log-level=warn"));
  }

  private Daemon.Recipe apiServer(Programs programs, int etcdPort) {
    return new Daemon.Recipe(
        "kube-apiserver",
        folder,
        Map.of(),
        List.of(
            programs.path("kube-apiserver"),
            "--etcd-servers=http://127.0.0.1:" + etcdPort,
            "--secure-port=" + port,
            "--bind-address=" + host,
            "--advertise-address=" + host,
            "--cert-dir=certs",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=sa.key",
            "--service-account-signing-key-file=sa.key",
            "--token-auth-file=tokens.csv",
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--endpoint-reconciler-type=none"));
  }

  private Daemon.Recipe controllers(Programs programs) {
    return new Daemon.Recipe(
        "kube-controller-manager",
        folder,
        Map.of(),
        List.of(
            programs.path("kube-controller-manager"),
            "--kubeconfig=admin.kubeconfig",
            "--authentication-kubeconfig=admin.kubeconfig",
            "--authorization-kubeconfig=admin.kubeconfig",
            "--service-account-private-key-file=sa.key",
            "--root-ca-file=certs/apiserver.crt",
            "--use-service-account-credentials",
            "--bind-address=127.0.0.1",
            "--secure-port=0",
            "--leader-elect=false"));
  }

  private static String serviceAccountKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      return "-----BEGIN PRIVATE KEY-----\n"
          + Base64.getMimeEncoder().encodeToString(key)
          + "\n-----END PRIVATE KEY-----\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where it listens, as programs are told: {@code https://HOST:PORT}. */
  public String url() {
    return "https://" + host + ":" + port;
  }

  /** The address it listens at. */
  public String host() {
    return host;
  }

  /** The port it listens at. */
  public int port() {
    return port;
  }

  /** The certificates that clients have to trust, as a PEM file. */
  public Path authority() {
    return folder.resolve("certs/apiserver.crt");
  }

  /** A kubeconfig file for the holder of all rights. */
  public Path adminKubeconfig() {
    return folder.resolve("admin.kubeconfig");
  }

  /** The text of a kubeconfig for whoever has this token. */
  public String kubeconfig(String token) {
    return """
    apiVersion: v1
    kind: Config
    current-context: e2e
    clusters: [{name: e2e, cluster: {server: "%s", certificate-authority: "%s"}}]
    users: [{name: e2e, user: {token: "%s"}}]
    contexts: [{name: e2e, context: {cluster: e2e, user: e2e}}]
    """
        .formatted(url(), authority(), token);
  }

  /** A client with all rights; the caller closes it. */
  public KubernetesClient client() {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(kubeconfig(ADMIN)))
        .build();
  }

  /** Waits until the API server answers that it is ready. */
  public void awaitReady() {
    await("the API server to be ready, see " + folder)
        .atMost(READY)
        .pollInterval(Duration.ofMillis(200))
        .failFast("the API server or etcd has ended", () -> !apiServer.alive() || !etcd.alive())
        .until(() -> Files.exists(authority()) && ready());
  }

  private boolean ready() {
    try (KubernetesClient client = client()) {
      return "ok".equals(client.raw("/readyz"));
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  private void awaitServiceAccounts() {
    try (KubernetesClient client = client()) {
      await("the controller manager to make the default service account, see " + folder)
          .atMost(READY)
          .failFast("the controller manager has ended", () -> !controllers.alive())
          .until(
              () ->
                  client.serviceAccounts().inNamespace("default").withName("default").get()
                      != null);
    }
  }

  /** The API server as a process, to be killed and started again. */
  public Daemon apiServer() {
    return apiServer;
  }

  /** The controller manager as a process. */
  public Daemon controllers() {
    return controllers;
  }

  @Override
  public void close() {
    controllers.close();
    // With open watches an orderly end takes a minute, and nothing here is kept.
    apiServer.kill();
    etcd.close();
  }
}
