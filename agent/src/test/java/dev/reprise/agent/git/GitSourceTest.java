package dev.reprise.agent.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GitSourceTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir Path folder;
  private String first = "";
  private String second = "";

  @BeforeEach
  void repository() throws Exception {
    try (Git git =
        Git.init()
            .setInitialBranch("main")
            .setDirectory(folder.resolve("repository").toFile())
            .call()) {
      first = commit(git, "one").name();
      git.tag().setName("v1").call();
      second = commit(git, "two").name();
    }
  }

  private RevCommit commit(Git git, String text) throws IOException, GitAPIException {
    Path app = Files.createDirectories(folder.resolve("repository/app"));
    Files.writeString(app.resolve("file"), text);
    git.add().addFilepattern(".").call();
    return git.commit()
        .setMessage(text)
        .setAuthor("a", "a@example.org")
        .setCommitter("a", "a@example.org")
        .setSign(false)
        .call();
  }

  private GitSource source(String revision, String subfolder, boolean shallow) {
    return new GitSource(
        folder.resolve("repository").toUri().toString(),
        revision,
        subfolder,
        shallow,
        new GitCredentials.None());
  }

  @ParameterizedTest
  @CsvSource({"'', two", "main, two", "refs/heads/main, two", "v1, one"})
  void aBranchOrTagIsCheckedOut(String revision, String content) throws Exception {
    GitSource.Checkout checkout =
        source(revision, "app", false).fetch(folder.resolve("target"), TIMEOUT);

    assertThat(checkout.program()).isEqualTo(folder.resolve("target/app"));
    assertThat(checkout.program().resolve("file")).hasContent(content);
    assertThat(checkout.commit()).isEqualTo(content.equals("two") ? second : first);
  }

  /** In a workspace's pod GIT_DIR is the program's folder in the repository, often empty. */
  @ParameterizedTest
  @ValueSource(strings = {"", "app"})
  void whatPodsCallGitDirIsNotTheRepositorysPlace(String gitDir) throws Exception {
    SystemReader before = SystemReader.getInstance();
    SystemReader.setInstance(new WithGitDir(before, gitDir));
    try {
      source("main", "app", false).fetch(folder.resolve("target"), TIMEOUT);
    } finally {
      SystemReader.setInstance(before);
    }

    assertThat(folder.resolve("target/app/file")).hasContent("two");
    assertThat(folder.resolve("target/.git/HEAD")).exists();
  }

  @Test
  void anOlderCommitIsFoundThoughNoBranchPointsAtIt() throws Exception {
    GitSource.Checkout checkout = source(first, "", true).fetch(folder.resolve("target"), TIMEOUT);

    assertThat(checkout.commit()).isEqualTo(first);
    assertThat(folder.resolve("target/app/file")).hasContent("one");
  }

  @Test
  void shallowLeavesTheHistoryOut() throws Exception {
    source("main", "", true).fetch(folder.resolve("target"), TIMEOUT);

    try (Git git = Git.open(folder.resolve("target").toFile())) {
      assertThat(git.log().call()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nowhere, '', nowhere",
    "0123456789012345678901234567890123456789, '', 0123456789012345678901234567890123456789",
    "main, missing, missing",
    "main, ../.., out of the repository",
  })
  void whatIsNotThereIsNamedAndNothingIsLeftBehind(
      String revision, String subfolder, String named) {
    IOException e =
        catchThrowableOfType(
            IOException.class,
            () -> source(revision, subfolder, false).fetch(folder.resolve("target"), TIMEOUT));

    assertThat(e).hasMessageContaining(named);
    assertThat(folder.resolve("target")).doesNotExist();
    assertThat(folder.resolve("target.partial")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "https://127.0.0.1:1", "foo://127.0.0.1/x", "http://[/x", "x y"})
  void anAddressOfNoRepositoryIsSaidSo(String url) {
    GitSource source = new GitSource(url, "main", "", false, new GitCredentials.None());

    IOException e =
        catchThrowableOfType(
            IOException.class, () -> source.fetch(folder.resolve("target"), TIMEOUT));

    assertThat(e).hasMessageStartingWith("git: ").message().hasLineCount(1);
    assertThat(folder.resolve("target.partial")).doesNotExist();
  }

  @Test
  void aTokenAsUserNameIsInNoMessage() {
    GitSource source =
        new GitSource(
            "http://canary-5d1@127.0.0.1:1/x.git", "", "", false, new GitCredentials.None());

    IOException e =
        catchThrowableOfType(
            IOException.class, () -> source.fetch(folder.resolve("target"), TIMEOUT));

    assertThat(e).hasMessageContaining("127.0.0.1").hasMessageNotContaining("canary");
  }

  @Test
  void credentialsAreInNoMessage() {
    GitSource source =
        new GitSource(
            "http://user:hunter2@127.0.0.1:1/x.git",
            "",
            "",
            false,
            new GitCredentials.Basic("user", "hunter2"));

    IOException e =
        catchThrowableOfType(
            IOException.class, () -> source.fetch(folder.resolve("target"), TIMEOUT));

    assertThat(e).hasMessageContaining("127.0.0.1");
    assertThat(e.getMessage() + source.credentials()).doesNotContain("hunter2");
  }

  /** An environment with one more variable. */
  private static final class WithGitDir extends SystemReader.Delegate {
    private final String gitDir;

    WithGitDir(SystemReader before, String gitDir) {
      super(before);
      this.gitDir = gitDir;
    }

    @Override
    public @Nullable String getenv(String variable) {
      return variable.equals("GIT_DIR") ? gitDir : super.getenv(variable);
    }
  }
}
