package dev.reprise.cli;

import dev.reprise.activities.workspace.SourceFetcher;
import dev.reprise.agent.git.GitCredentials;
import dev.reprise.agent.git.GitSource;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.GitAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs for local workspaces: folders of this machine in place, git revisions as checkouts. */
final class ProgramFetcher implements SourceFetcher {
  private static final Duration SERVER_SILENCE = Duration.ofSeconds(30);

  @Override
  public Path fetch(Source source, String revision, Path into) throws SourceUnavailable, Refused {
    if (!(source instanceof Source.Git git)) {
      return SourceFetcher.LOCAL.fetch(source, revision, into);
    }
    if (!git.auth().equals(GitAuth.NONE) || !git.authSecret().isEmpty()) {
      throw new Refused(
          "spec.gitAuth: local workspaces fetch open repositories only: remove it, or name a"
              + " checkout in spec.workspaceTemplate.spec.local.dir");
    }
    try {
      Path checkout =
          revision.isEmpty()
              ? newest(into)
                  .orElseThrow(() -> new Refused("there is no checkout left to destroy with"))
              : checkout(git, revision, into.resolve(revision));
      return checkout.resolve(git.dir()).normalize();
    } catch (IOException e) {
      throw new SourceUnavailable(
          "the repository", "cannot be checked out: " + String.valueOf(e.getMessage()));
    }
  }

  private static Path checkout(Source.Git git, String revision, Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      new GitSource(git.url(), revision, git.dir(), git.shallow(), new GitCredentials.None())
          .fetch(folder, SERVER_SILENCE);
    }
    return folder;
  }

  /** A destroy runs with what the last up was made of. */
  private static Optional<Path> newest(Path into) throws IOException {
    if (!Files.isDirectory(into)) {
      return Optional.empty();
    }
    try (Stream<Path> checkouts = Files.list(into)) {
      return checkouts.max(Comparator.comparingLong(folder -> folder.toFile().lastModified()));
    }
  }
}
