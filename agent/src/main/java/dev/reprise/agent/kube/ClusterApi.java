package dev.reprise.agent.kube;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where the API server is and as whom it is asked.
 *
 * @param server its address
 * @param tokenFile the account's token; read anew for each question, since the kubelet replaces it
 * @param caFile the certificates that the server's must go back to; an empty path for plain HTTP
 * @param account the account's name as {@code namespace/name} as far as it is known, for messages
 */
public record ClusterApi(URI server, Path tokenFile, Path caFile, String account) {
  private static final Path MOUNTED = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /**
   * As a pod finds it.
   *
   * @throws IOException if this is no pod, or one without its account's token
   */
  public static ClusterApi inCluster(Map<String, String> environment) throws IOException {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      throw new IOException(
          "--auth-mode kube: KUBERNETES_SERVICE_HOST is not set: it works in a pod only");
    }
    Path token = MOUNTED.resolve("token");
    if (!Files.isReadable(token)) {
      throw new IOException(
          "--auth-mode kube: "
              + token
              + " is not there: the pod needs its account's token"
              + " (automountServiceAccountToken)");
    }
    String address = host.contains(":") ? "[" + host + "]" : host;
    return new ClusterApi(
        URI.create("https://" + address + ":" + port),
        token,
        MOUNTED.resolve("ca.crt"),
        environment.getOrDefault("POD_NAMESPACE", "?")
            + "/"
            + environment.getOrDefault("POD_SA_NAME", "?"));
  }
}
