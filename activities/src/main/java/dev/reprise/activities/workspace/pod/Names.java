package dev.reprise.activities.workspace.pod;

import dev.reprise.workflows.activity.StackRef;
import java.util.Map;
import java.util.TreeMap;

/** What the objects of a workspace are called and how they are marked. */
public final class Names {
  /** The Stack whose workspace it is, as the label's value: a name can be used again, a uid not. */
  public static final String STACK_UID = "reprise.dev/stack-uid";

  /** The Stack's name; the workspace's is the same. */
  public static final String WORKSPACE_NAME = "auto.pulumi.com/workspace-name";

  /** As whom Reprise applies StatefulSet and Service. */
  public static final String FIELD_MANAGER = "reprise/workspace";

  static final String COMPONENT = "auto.pulumi.com/component";

  /** The value of {@link #COMPONENT}. */
  static final String WORKSPACE = "workspace";

  /** Annotation of the pod: changes when the pod has to be replaced. */
  static final String REVISION_HASH = "auto.pulumi.com/revision-hash";

  /** Annotation of the pod: a keyed digest of the configuration and secrets it was made with. */
  static final String INPUTS_DIGEST = "reprise.dev/inputs-digest";

  /** Annotation of the pod: "true" once the program is installed, selected and configured. */
  static final String INITIALIZED = "auto.pulumi.com/initialized";

  /** Annotation of the StatefulSet: the attempt that last asked for a pod that cannot be made. */
  static final String TRIED = "reprise.dev/tried";

  /** The label by which a StatefulSet marks the version of its template a pod was made from. */
  static final String POD_REVISION = "controller-revision-hash";

  /** The container with the agent and the program. */
  static final String CONTAINER = "pulumi";

  static final int GRPC_PORT = 50051;

  private Names() {}

  /** StatefulSet and Service. */
  public static String object(String stack) {
    return stack + "-workspace";
  }

  /** The ConfigMap with a program that is kept in the cluster. */
  static String program(String stack) {
    return object(stack) + "-program";
  }

  /** The only one of the StatefulSet. */
  public static String pod(String stack) {
    return object(stack) + "-0";
  }

  /** What an agent's callers have their tokens issued for. */
  static String audience(StackRef stack) {
    return stack.name() + "." + stack.namespace();
  }

  static String host(StackRef stack) {
    return object(stack.name()) + "." + stack.namespace();
  }

  /** The labels that select the workspace's pod, the same as the Pulumi Kubernetes Operator's. */
  static Map<String, String> selector(StackRef stack) {
    return new TreeMap<>(Map.of(COMPONENT, WORKSPACE, WORKSPACE_NAME, stack.name()));
  }

  /** The labels of all its objects. */
  static Map<String, String> labels(StackRef stack) {
    Map<String, String> labels = selector(stack);
    labels.put(STACK_UID, stack.uid());
    return labels;
  }
}
