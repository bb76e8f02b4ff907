package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.GitRevision;
import dev.reprise.stack.source.LocalRevision;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecInvalid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceRevisionsTest {
  private static final String REPOSITORY = "https://git.example/infra.git";
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir private Path folder;

  @Test
  void aBranchIsAskedOnceAMinuteOrAsTheResyncFrequencySays() throws Exception {
    assertThat(query(branch()).orElseThrow().interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(query(branch().spec("resyncFrequencySeconds", 5)).orElseThrow().interval())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(query(branch().spec("resyncFrequencySeconds", 600)).orElseThrow().interval())
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void whatDoesNotMoveIsNotAsked() throws Exception {
    Stacks pinned = a().spec("projectRepo", REPOSITORY).spec("commit", "a".repeat(40));
    assertThat(query(pinned)).isEmpty();
    assertThat(query(a())).isEmpty();
    assertThat(query(a().spec("programRef", Map.of("name", "p")))).isEmpty();
  }

  @Test
  void stacksShareAnAnswerOnlyWithTheSameRepositoryRefAndCredential() throws Exception {
    assertThat(key(branch())).isEqualTo(key(branch()));
    assertThat(key(branch())).isNotEqualTo(key(branch().spec("branch", "other")));
    assertThat(key(branch())).isNotEqualTo(key(branch().spec("gitAuthSecret", "s")));
    assertThat(key(branch().spec("gitAuthSecret", "s")))
        .isEqualTo(key(branch().spec("gitAuthSecret", "s")))
        .isNotEqualTo(key(branch().spec("gitAuthSecret", "t")));
  }

  @Test
  void aBranchThatMovesAnswersWithItsNewCommit() throws Exception {
    try (Git git = Git.init().setDirectory(folder.toFile()).setInitialBranch("main").call()) {
      SourceQuery query =
          query(branch().spec("projectRepo", folder.toUri().toString())).orElseThrow();
      String first = commit(git);
      assertThat(query.ask().revision()).isEqualTo(first);
      String second = commit(git);
      assertThat(query.ask().revision()).isEqualTo(second).isNotEqualTo(first);
    }
  }

  @Test
  void aLocalDirectoryIsReadWhereTheWatcherSeesIt() throws Exception {
    Stacks local = local(folder);
    assertThat(query(local, Duration.ZERO)).isEmpty();
    SourceQuery query = query(local, SECOND).orElseThrow();
    assertThat(query.interval()).isEqualTo(SECOND);
    String before = query.ask().revision();
    Files.writeString(folder.resolve("up"), "#!/bin/sh\n");
    assertThat(query.ask().revision()).isNotEqualTo(before);
  }

  @Test
  void aDirectoryThatIsGoneIsUnavailable() throws Exception {
    SourceQuery query = query(local(folder.resolve("gone")), SECOND).orElseThrow();
    assertThatThrownBy(() -> query.ask().revision()).isInstanceOf(SourceUnavailable.class);
  }

  private static Stacks a() {
    return Stacks.inOrder("a");
  }

  private static Stacks branch() {
    return a().spec("projectRepo", REPOSITORY).spec("branch", "main");
  }

  private static Stacks local(Path dir) {
    return a().spec(
            "workspaceTemplate", Map.of("spec", Map.of("local", Map.of("dir", dir.toString()))));
  }

  private static Object key(Stacks stack) throws SpecInvalid {
    return query(stack).orElseThrow().key();
  }

  private static Optional<SourceQuery> query(Stacks stack) throws SpecInvalid {
    return query(stack, SECOND);
  }

  private static Optional<SourceQuery> query(Stacks stack, Duration localInterval)
      throws SpecInvalid {
    SourceRevisions revisions =
        new SourceRevisions(
            new GitRevision(Duration.ofSeconds(10), true),
            new LocalRevision(InstantSource.system()),
            (namespace, source) -> new GitCredentials.None(),
            localInterval);
    return revisions.of(new StackReader(Policy.DEFAULTS).read(stack.build()));
  }

  private static String commit(Git git) throws Exception {
    return git.commit()
        .setMessage("change")
        .setAuthor("a", "a@example.com")
        .setCommitter("a", "a@example.com")
        .setSign(false)
        .call()
        .name();
  }
}
