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
              ? new Checkouts(into)
                  .current()
                  .orElseThrow(() -> new Refused("there is no checkout left to destroy with"))
              : checkout(git, revision, into);
      return checkout.resolve(git.dir()).normalize();
    } catch (IOException e) {
      throw new SourceUnavailable(
          "the repository", "cannot be checked out: " + String.valueOf(e.getMessage()));
    }
  }

  private static Path checkout(Source.Git git, String revision, Path into) throws IOException {
    Path folder = into.resolve(revision);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(into);
      new GitSource(git.url(), revision, git.dir(), git.shallow(), new GitCredentials.None())
          .fetch(folder, SERVER_SILENCE);
    }
    new Checkouts(into).use(revision);
    return folder;
  }
}
