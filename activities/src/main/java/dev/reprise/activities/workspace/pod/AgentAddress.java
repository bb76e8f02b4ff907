package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.agent.Credentials;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.workflows.activity.StackRef;

/** Where the agent of a workspace is dialled. */
@FunctionalInterface
public interface AgentAddress {
  /** The environment variable that names one address for all, for a worker outside the cluster. */
  String VARIABLE = "WORKSPACE_LOCALHOST";

  /** The workspace's Service, by its name in the cluster. */
  AgentAddress SERVICE =
      (stack, credentials) -> new Endpoint(Names.host(stack), Names.GRPC_PORT, credentials);

  /** The address, to be used with credentials. */
  Endpoint of(StackRef stack, Credentials credentials);

  /**
   * By the value of {@value #VARIABLE}.
   *
   * @param hostAndPort as in {@code localhost:50051}; "" = each by its Service
   * @throws IllegalArgumentException naming the variable when the value is neither
   */
  static AgentAddress fromVariable(String hostAndPort) {
    if (hostAndPort.isEmpty()) {
      return SERVICE;
    }
    int colon = hostAndPort.lastIndexOf(':');
    String port = hostAndPort.substring(colon + 1);
    if (colon < 1 || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          VARIABLE + " is no address: write host:port, as in localhost:50051");
    }
    String host = hostAndPort.substring(0, colon);
    return (stack, credentials) -> new Endpoint(host, Integer.parseInt(port), credentials);
  }
}
