package dev.reprise.agent.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.agent.git.Repositories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GitInitTest {
  @TempDir Path folder;
  private final String url;

  GitInitTest(@TempDir Path repository) throws Exception {
    this.url = Repositories.create(repository.resolve("r")).toUri().toString();
  }

  private Path target() {
    return folder.resolve("source");
  }

  private String run(String revision, Map<String, String> environment) throws Exception {
    return new GitInit(environment, InstantSource.system()).run(target(), url, revision, false);
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 2", "'', 2"})
  void theEnvironmentMayAskForNoHistory(String shallow, int commits) throws Exception {
    run("main", Map.of(GitInit.SHALLOW, shallow));

    try (Git git = Git.open(target().toFile())) {
      assertThat(git.log().call()).hasSize(commits);
    }
  }

  @Test
  void aStartAfterOneThatWasCutOffSucceeds() throws Exception {
    String commit = run("v1", Map.of());
    Files.delete(target().resolve("Pulumi.yaml"));
    Files.createDirectories(folder.resolve("source.partial/.git"));

    assertThat(run(commit, Map.of())).isEqualTo(commit);
    assertThat(target().resolve("Pulumi.yaml")).hasContent("one");
    assertThat(folder.resolve("source.partial")).doesNotExist();
  }

  @Test
  void anEmptyFolderIsTakenAndAnotherOnesIsLeftAlone() throws Exception {
    Files.createDirectories(target());
    run("main", Map.of());
    Files.delete(folder.resolve(".source.init"));

    assertThatThrownBy(() -> run("main", Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(target().toString());
    assertThat(target().resolve("Pulumi.yaml")).exists();
  }

  @Test
  void aBareProjectIsWrittenOnceAndNeverOverAnother() throws Exception {
    ProjectInit init = new ProjectInit();
    init.run(target(), "shop: #1", "nodejs");
    init.run(target(), "shop: #1", "nodejs");

    assertThat(target().resolve("Pulumi.yaml"))
        .hasContent("name: \"shop: #1\"\nruntime: \"nodejs\"\n");
    assertThatThrownBy(() -> init.run(target(), "other", "nodejs"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is another project");
  }
}
