package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Commands;
import dev.reprise.e2e.engine.TextFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A repository with a branch {@code main}, to which a user commits. */
public final class GitRepository {
  private final Path folder;
  private final String url;

  GitRepository(Path folder, String url) {
    this.folder = folder;
    this.url = url;
    git("init", "--quiet", "--initial-branch=main", folder.toString());
  }

  /** Where Stacks find it. */
  public String url() {
    return url;
  }

  /**
   * Commits these files with these contents; those that start with {@code #!} can be executed.
   *
   * @return the commit
   */
  public String commit(Map<String, String> files) {
    files.forEach((name, text) -> TextFiles.write(folder.resolve(name), text));
    in("add", "--all");
    in(
        "-c",
        "user.name=user",
        "-c",
        "user.email=user@example.com",
        "commit",
        "--quiet",
        "--allow-empty",
        "--message=change");
    return in("rev-parse", "HEAD").strip();
  }

  private String in(String... arguments) {
    List<String> all = new ArrayList<>(List.of("-C", folder.toString()));
    all.addAll(List.of(arguments));
    return git(all.toArray(String[]::new));
  }

  private static String git(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return Commands.run(command);
  }
}
