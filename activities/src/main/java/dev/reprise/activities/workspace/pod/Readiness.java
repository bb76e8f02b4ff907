package dev.reprise.activities.workspace.pod;

/** When a workspace is ready: the rule of the Pulumi Kubernetes Operator. */
final class Readiness {
  private Readiness() {}

  /**
   * What is waited for, for people; "" = the pod is the wanted one and available.
   *
   * @param name the StatefulSet's
   * @param pod the pod's name
   */
  static String waitingFor(String name, String pod, SetState set, PodState state) {
    if (set.observedGeneration() < set.generation()) {
      return "StatefulSet " + name + " to be acted on";
    }
    if (!state.exists()) {
      return "pod " + pod + " to be created";
    }
    if (state.deleting()) {
      return "the former pod " + pod + " to end";
    }
    if (!state.trouble().text().isEmpty()) {
      return "pod " + pod + ", which waits for " + state.trouble().text();
    }
    if (!state.revision().equals(set.update())) {
      return "pod " + pod + " to be replaced by one of the new template";
    }
    if (set.available() < 1) {
      return "pod " + pod + " to become available";
    }
    return set.current().equals(set.update()) ? "" : "the rolling update of " + name + " to end";
  }
}
