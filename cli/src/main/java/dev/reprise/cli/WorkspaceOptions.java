package dev.reprise.cli;

import dev.reprise.activities.agent.ServiceAccountTokens;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.takeover.TakeOver;
import dev.reprise.activities.takeover.TakingOver;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.activities.workspace.pod.AgentAddress;
import dev.reprise.activities.workspace.pod.AgentCredentials;
import dev.reprise.activities.workspace.pod.AgentImage;
import dev.reprise.activities.workspace.pod.AgentImage.Kind;
import dev.reprise.activities.workspace.pod.ClusterWorkspaces;
import dev.reprise.activities.workspace.pod.PodSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Option;

/** Where a worker's operations run. The variables are those of the Pulumi Kubernetes Operator. */
final class WorkspaceOptions {
  static final String IMAGE = "AGENT_IMAGE";
  static final String PULL_POLICY = "AGENT_IMAGE_PULL_POLICY";

  /** The newest agent of that operator that Reprise was built against. */
  private static final String PKO_IMAGE = "pulumi/pulumi-kubernetes-operator:v2.9.0";

  /** Built by whoever installs Reprise, with the version of the worker as tag. */
  private static final String OWN_IMAGE = "reprise-agent";

  /** Where operations run. */
  enum Place {
    /** In pods when the worker itself runs in one, else in processes. */
    AUTO,
    /** In pods of the cluster. */
    PODS,
    /** In processes of this machine. */
    PROCESSES
  }

  @Option(
      names = "--workspaces",
      paramLabel = "PLACE",
      description =
          "Where operations run: in pods of the cluster or processes of this machine (default:"
              + " auto, which is pods when the worker itself runs in one).")
  private Place place = Place.AUTO;

  @Option(
      names = "--agent-image",
      paramLabel = "IMAGE",
      description = {
        "The image pods get their agent from (default: environment variable "
            + IMAGE
            + ", or else "
            + OWN_IMAGE
            + " of this version, or "
            + PKO_IMAGE
            + ")."
      })
  private String image = "";

  @Option(
      names = "--agent",
      paramLabel = "KIND",
      description =
          "Whose agent that image holds: own, Reprise's, whose operations survive every restart, or"
              + " pko, the Pulumi Kubernetes Operator's (default: own).")
  private Kind kind = Kind.OWN;

  /** Whether operations run in pods. */
  boolean inPods(Map<String, String> environment) {
    return switch (place) {
      case AUTO -> Target.inPod(environment);
      case PODS -> true;
      case PROCESSES -> false;
    };
  }

  /**
   * The pods, those of the Pulumi Kubernetes Operator among them.
   *
   * @param takeOver whether that operator does not work now
   * @throws UserProblem that names the variable that is no use
   */
  Workspaces pods(
      KubernetesClient client,
      DigestKey digests,
      Map<String, String> environment,
      BooleanSupplier takeOver) {
    InstantSource clock = InstantSource.system();
    Workspaces pods =
        new ClusterWorkspaces(
            client,
            new ClusterWorkspaces.Settings(
                settings(environment),
                address(environment),
                credentials(client, environment, clock),
                digests.id(),
                digests.key(),
                clock));
    return new TakingOver(new TakeOver(client, clock), pods, takeOver);
  }

  PodSettings settings(Map<String, String> environment) {
    String policy = environment.getOrDefault(PULL_POLICY, "");
    String known =
        List.of("Always", "IfNotPresent", "Never").stream()
            .filter(one -> one.equalsIgnoreCase(policy.isEmpty() ? "IfNotPresent" : policy))
            .findFirst()
            .orElseThrow(
                () ->
                    new UserProblem(
                        PULL_POLICY + " is no pull policy; use Always, IfNotPresent or Never"));
    String named = environment.getOrDefault(IMAGE, "");
    String chosen = image.isEmpty() ? named : image;
    String bytes = environment.getOrDefault("FLUX_MAX_UNTAR_SIZE_BYTES", "");
    if (!bytes.matches("-1|[0-9]{0,18}")) {
      throw new UserProblem(
          "FLUX_MAX_UNTAR_SIZE_BYTES is no number; give bytes, or -1 for no limit");
    }
    return new PodSettings(
        new AgentImage(chosen.isEmpty() ? defaultImage() : chosen, known, kind), bytes);
  }

  private String defaultImage() {
    return switch (kind) {
      case OWN -> OWN_IMAGE + ":" + Version.text().orElse("latest");
      case PKO -> PKO_IMAGE;
    };
  }

  static AgentAddress address(Map<String, String> environment) {
    try {
      return AgentAddress.fromVariable(environment.getOrDefault(AgentAddress.VARIABLE, ""));
    } catch (IllegalArgumentException e) {
      throw new UserProblem(String.valueOf(e.getMessage()), e);
    }
  }

  /** Without a service account of its own a worker can prove nothing. */
  private static AgentCredentials credentials(
      KubernetesClient client, Map<String, String> environment, InstantSource clock) {
    String namespace = environment.getOrDefault("POD_NAMESPACE", "");
    String account = environment.getOrDefault("POD_SA_NAME", "");
    return namespace.isEmpty() || account.isEmpty()
        ? AgentCredentials.NONE
        : AgentCredentials.of(
            new ServiceAccountTokens(StackObjects.limited(client), namespace, account, clock));
  }
}
