package dev.reprise.e2e.world;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps every version of every Stack that the API server told of. */
public final class StatusRecorder implements AutoCloseable {
  private final List<GenericKubernetesResource> versions = new CopyOnWriteArrayList<>();
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  /** Starts recording in all namespaces. */
  public StatusRecorder(KubernetesClient client) {
    this.informer =
        client
            .genericKubernetesResources(Stacks.KIND)
            .inAnyNamespace()
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(GenericKubernetesResource stack) {
                    versions.add(stack);
                  }

                  @Override
                  public void onUpdate(
                      GenericKubernetesResource before, GenericKubernetesResource after) {
                    versions.add(after);
                  }

                  @Override
                  public void onDelete(GenericKubernetesResource stack, boolean unknown) {}
                });
  }

  /** All versions with a status that the product wrote. */
  public List<GenericKubernetesResource> written() {
    return versions.stream().filter(stack -> stack.get("status", "retry") != null).toList();
  }

  /** One as JSON of one line. */
  public static String line(GenericKubernetesResource stack) {
    return Serialization.asJson(stack).replace("\n", "");
  }

  @Override
  public void close() {
    informer.stop();
  }
}
