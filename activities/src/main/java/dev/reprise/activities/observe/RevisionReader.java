package dev.reprise.activities.observe;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.InputsReader;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.GitRevision;
import dev.reprise.stack.source.LocalRevision;
import dev.reprise.stack.source.SharedRevisions;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceObject;
import dev.reprise.stack.source.SourceUnavailable;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** What a Stack's source points at now. */
final class RevisionReader {
  /** Stacks of one repository that are observed together ask it once. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** Less than the observing activity has. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final KubernetesClient client;
  private final InputsReader inputs;
  private final LocalRevision local;
  private final GitRevision git;
  private final SharedRevisions shared;

  RevisionReader(
      KubernetesClient client, InputsReader inputs, InstantSource clock, boolean localGit) {
    this.client = client;
    this.inputs = inputs;
    this.local = new LocalRevision(clock);
    this.git = new GitRevision(Duration.ofSeconds(15), localGit);
    this.shared = new SharedRevisions(FRESH, LIMIT, clock);
  }

  /** The revision; "" for a Stack without a source. */
  String of(Source source, String namespace)
      throws SourceUnavailable, InputMissing, InterruptedException {
    return switch (source) {
      case Source.None none -> "";
      case Source.Local folder -> local(folder.dir());
      case Source.Archive archive -> archive.digest();
      case Source.Program program -> object(source, namespace, "spec.programRef.name");
      case Source.Flux flux -> object(source, namespace, "spec.fluxSource.sourceRef");
      case Source.Git repository -> {
        if (GitRevision.isCommit(repository.ref())) {
          yield repository.ref();
        }
        GitCredentials credentials =
            inputs.gitCredentials(repository.auth(), repository.authSecret(), namespace);
        yield shared.get(
            // The key stays in memory; two Stacks with the same credentials share the answer.
            new SharedRevisions.Key(
                repository.url(), repository.ref(), Integer.toHexString(credentials.hashCode())),
            () -> git.resolve(repository.url(), repository.ref(), credentials));
      }
    };
  }

  private String object(Source source, String namespace, String path)
      throws SourceUnavailable, InputMissing {
    SourceObject object = SourceObject.of(source).orElseThrow();
    return object.revision(get(object.kind(), namespace, object.name(), path));
  }

  /** A folder that is missing may be created any moment, but a person has to do it. */
  private String local(String folder) throws SourceUnavailable {
    try {
      return local.of(Path.of(folder));
    } catch (SourceUnavailable e) {
      throw new SourceUnavailable(
          "spec.workspaceTemplate.spec.local.dir:",
          e.getMessage() + ": create it or correct the path");
    }
  }

  private GenericKubernetesResource get(
      ResourceDefinitionContext context, String namespace, String name, String path)
      throws InputMissing {
    try {
      return StackObjects.require(
          client.genericKubernetesResources(context).inNamespace(namespace).withName(name));
    } catch (KubernetesClientException e) {
      throw switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND ->
            new InputMissing(
                "%s: %s %s/%s does not exist: create it"
                    .formatted(path, context.getKind(), namespace, name));
        case HttpURLConnection.HTTP_FORBIDDEN ->
            new InputMissing(
                "%s: reading %s %s/%s was refused: grant get on %s in %s"
                    .formatted(
                        path,
                        context.getKind(),
                        namespace,
                        name,
                        context.getPlural(),
                        context.getGroup()));
        default -> throw e;
      };
    }
  }
}
