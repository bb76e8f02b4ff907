package dev.reprise.agent.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;

/** Small repositories. */
public final class Repositories {
  private Repositories() {}

  /**
   * Makes one with branch main, of two commits of the file {@code Pulumi.yaml} ({@code one} with
   * tag v1, then {@code two}).
   *
   * @return its folder
   */
  public static Path create(Path folder) throws IOException, GitAPIException {
    try (Git git = Git.init().setInitialBranch("main").setDirectory(folder.toFile()).call()) {
      commit(git, folder, "one");
      git.tag().setName("v1").call();
      commit(git, folder, "two");
    }
    return folder;
  }

  private static void commit(Git git, Path folder, String text)
      throws IOException, GitAPIException {
    Files.writeString(folder.resolve("Pulumi.yaml"), text);
    git.add().addFilepattern(".").call();
    git.commit()
        .setMessage(text)
        .setAuthor("a", "a@example.org")
        .setCommitter("a", "a@example.org")
        .setSign(false)
        .call();
  }
}
