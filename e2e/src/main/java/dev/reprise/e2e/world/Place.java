package dev.reprise.e2e.world;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A namespace of one test with its Stacks, the repositories and the journals of their programs. */
public final class Place {
  private final KubernetesClient client;
  private final GitServer git;
  private final Stacks stacks;
  private final Path folder;
  private int repositories;

  Place(KubernetesClient client, GitServer git, String namespace, Path folder) {
    this.client = client;
    this.git = git;
    this.stacks = new Stacks(client, namespace);
    this.folder = folder;
  }

  /** Its namespace. */
  public String namespace() {
    return stacks.namespace();
  }

  /** Its Stacks. */
  public Stacks stacks() {
    return stacks;
  }

  /** What the program of a Stack wrote. */
  public ProgramJournal journal(String stack) {
    ProgramJournal journal = new ProgramJournal(folder.resolve(stack));
    new ProgramJournal(folder.resolve(stack).resolve("state"));
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
   * Applies a Stack whose program is the newest commit of a repository.
   *
   * @param fields more fields of its spec, as YAML
   */
  public StackHandle apply(String name, GitRepository program, String fields) {
    String source = "projectRepo: " + program.url() + "\nbranch: main\n";
    stacks.apply(new StackManifest(name, source, journal(name), fields).yaml());
    return stacks.named(name);
  }

  /** Applies a Stack whose program is a Program in the cluster. */
  public StackHandle applyProgram(String name, String program) {
    String source = "programRef: {name: " + program + "}\n";
    stacks.apply(new StackManifest(name, source, journal(name), "").yaml());
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
