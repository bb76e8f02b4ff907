package dev.reprise.watcher;

import dev.reprise.stack.Stack;
import dev.reprise.stack.source.GitRevision;
import dev.reprise.stack.source.LocalRevision;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.GitAuth;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks the sources whose revision moves by itself: branches and tags of git repositories, and local
 * directories. Objects of the cluster announce their changes themselves.
 *
 * @param git asks repositories
 * @param local reads directories
 * @param credentials finds what opens a repository
 * @param localInterval how often to read a directory; zero: never, as where the watcher does not
 *     see the directories of the workspaces
 */
public record SourceRevisions(
    GitRevision git, LocalRevision local, GitCredentialLookup credentials, Duration localInterval)
    implements SourceQueries {
  private static final long LEAST_SECONDS = 60;
  private static final long MOST_SECONDS = Duration.ofDays(1).toSeconds();

  @Override
  public Optional<SourceQuery> of(Stack stack) {
    return switch (Source.of(stack.spec())) {
      case Source.Git source when !GitRevision.isCommit(source.ref()) ->
          Optional.of(git(stack, source));
      case Source.Local(String dir) when localInterval.isPositive() ->
          Optional.of(
              new SourceQuery(new LocalKey(dir), localInterval, () -> local.of(Path.of(dir))));
      case Source.Git commit -> Optional.empty();
      case Source.Local unseen -> Optional.empty();
      case Source.Flux flux -> Optional.empty();
      case Source.Archive archive -> Optional.empty();
      case Source.Program program -> Optional.empty();
      case Source.None none -> Optional.empty();
    };
  }

  private SourceQuery git(Stack stack, Source.Git source) {
    String namespace = stack.identity().namespace();
    boolean open = source.auth().equals(GitAuth.NONE) && source.authSecret().isEmpty();
    GitKey key =
        new GitKey(
            source.url(), source.ref(), open ? "" : namespace, source.auth(), source.authSecret());
    long seconds = Math.clamp(stack.spec().resyncFrequencySeconds(), LEAST_SECONDS, MOST_SECONDS);
    return new SourceQuery(
        key,
        Duration.ofSeconds(seconds),
        () -> git.resolve(source.url(), source.ref(), credentials.find(namespace, source)));
  }

  private record LocalKey(String dir) {}

  private record GitKey(
      String url, String ref, String namespace, GitAuth auth, String authSecret) {}
}
