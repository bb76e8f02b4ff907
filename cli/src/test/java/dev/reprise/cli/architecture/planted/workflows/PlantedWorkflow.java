package dev.reprise.cli.architecture.planted.workflows;

import io.fabric8.kubernetes.client.KubernetesClient;

/** Breaks a rule: workflows know no Kubernetes client. */
public interface PlantedWorkflow {
  String read(KubernetesClient client);
}
