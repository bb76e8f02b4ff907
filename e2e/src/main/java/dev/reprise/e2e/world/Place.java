package dev.reprise.e2e.world;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A namespace of one test with its Stacks, the repositories of their programs and one journal. */
public final class Place {
  private final KubernetesClient client;
  private final GitServer git;
  private final Stacks stacks;
  private final ProgramJournal journal;
  private int repositories;

  Place(KubernetesClient client, GitServer git, String namespace, Path folder) {
    this.client = client;
    this.git = git;
    this.stacks = new Stacks(client, namespace);
    this.journal = new ProgramJournal(folder);
    new ProgramJournal(folder.resolve("state"));
  }

  /** Its namespace. */
  public String namespace() {
    return stacks.namespace();
  }

  /** Its Stacks. */
  public Stacks stacks() {
    return stacks;
  }

  /** What its programs wrote. */
  public ProgramJournal journal() {
    return journal;
  }

  /** A new repository with a first commit of these files. */
  public GitRepository repository(Map<String, String> files) {
    repositories++;
    GitRepository repository = git.repository(namespace() + "-" + repositories);
    repository.commit(files);
    return repository;
  }

  /**
   * Applies a Stack.
   *
   * @param fields more fields of its spec, as YAML
   */
  public StackHandle apply(String name, GitRepository program, String fields) {
    stacks.apply(new StackManifest(name, program, journal, fields).yaml());
    return stacks.named(name);
  }

  /**
   * A Secret that has to be there.
   *
   * @throws IllegalStateException when it is not
   */
  public Secret secret(String name) {
    return Optional.ofNullable(client.secrets().inNamespace(namespace()).withName(name).get())
        .orElseThrow(() -> new IllegalStateException("there is no Secret " + name));
  }

  /** Waits until no workspace is left: no StatefulSet, Service or pod of one. */
  public void awaitNoWorkspaces() {
    Awaitility.await("no workspace to be left in " + namespace())
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                client.apps().statefulSets().inNamespace(namespace()).list().getItems().isEmpty()
                    && client.services().inNamespace(namespace()).list().getItems().isEmpty()
                    && client.pods().inNamespace(namespace()).list().getItems().isEmpty());
  }
}
