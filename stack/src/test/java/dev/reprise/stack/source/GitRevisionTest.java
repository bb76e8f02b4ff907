package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitRevisionTest {
  private static final GitCredentials OPEN = new GitCredentials.None();

  private final GitRevision revisions = new GitRevision(Duration.ofSeconds(10), true);

  @TempDir private Path dir;
  private Git git;
  private String first;
  private String second;

  @BeforeEach
  void repository() throws GitAPIException {
    git = Git.init().setDirectory(dir.toFile()).setInitialBranch("main").call();
    first = commit("first");
    git.tag().setName("light").setAnnotated(false).call();
    git.tag().setName("v1").setMessage("release").setAnnotated(true).setSigned(false).call();
    git.branchCreate().setName("feature/x").call();
    git.tag().setName("both").setAnnotated(false).call();
    second = commit("second");
    git.branchCreate().setName("both").call();
  }

  @AfterEach
  void close() {
    git.close();
  }

  @ParameterizedTest
  @CsvSource({
    "main, second",
    "refs/heads/main, second",
    "feature/x, first",
    "light, first",
    "refs/tags/light, first",
    "v1, first",
    "refs/tags/v1, first",
    "both, second",
    "refs/tags/both, first",
  })
  void aBranchOrTagIsFoundByShortOrFullName(String ref, String commit) throws SourceUnavailable {
    assertThat(revisions.resolve(dir.toUri().toString(), ref, OPEN))
        .isEqualTo(commit.equals("first") ? first : second);
  }

  @Test
  void aPushMovesTheRevision() throws GitAPIException, SourceUnavailable {
    String third = commit("third");

    assertThat(revisions.resolve(dir.toString(), "main", OPEN)).isEqualTo(third);
  }

  @Test
  void aWholeCommitIsUsedAsIsWithoutACall() throws SourceUnavailable {
    String commit = "0123456789abcdef0123456789abcdef01234567";

    assertThat(revisions.resolve("https://nowhere.invalid/x.git", commit, OPEN)).isEqualTo(commit);
    assertThat(GitRevision.isCommit(commit.substring(1))).isFalse();
  }

  @Test
  void aMissingRefIsNamed() {
    assertThat(failure(dir.toUri().toString(), "nope"))
        .hasMessageEndingWith(" has no branch or tag nope: correct the name or push it");
  }

  @Test
  void aMissingRepositoryIsNamed() {
    Path missing = dir.resolve("nowhere");

    assertThat(failure(missing.toString(), "main"))
        .hasMessage(
            "git repository "
                + missing
                + " does not exist or is hidden: check the address and the credentials");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          file:///srv/x.git           | is no address on the network: use https
          /srv/x.git                  | is no address on the network: use https
          git@host.example:x.git      | is reached by ssh and no key is given: set gitAuth.sshAuth
          ssh://git@host.example/x    | is reached by ssh and no key is given: set gitAuth.sshAuth
          ext://host.example/x        | has an unknown scheme: use https
          """)
  void inAClusterOnlyTheNetworkIsAsked(String url, String problem) {
    GitRevision cluster = new GitRevision(Duration.ofSeconds(1), false);

    assertThat(
            catchThrowableOfType(SourceUnavailable.class, () -> cluster.resolve(url, "main", OPEN)))
        .hasMessageEndingWith(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://canary:canary@127.0.0.1:1/x.git?token=canary",
        "http://canary@127.0.0.1:1/x.git",
        "foo://canary:canary@host/x",
        "http://canary:canary@[broken/x",
      })
  void failuresShowNoCredentials(String url) {
    SourceUnavailable failure = failure(url, "main");

    assertThat(failure).hasNoCause();
    assertThat(failure.toString()).doesNotContain("canary").contains("git repository");
  }

  @Test
  void aRefusedConnectionIsToldApart() {
    assertThat(failure("http://127.0.0.1:1/x.git", "main"))
        .hasMessage("git repository http://127.0.0.1:1/x.git cannot be connected to");
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertGivenUp("http://127.0.0.1:" + silent.getLocalPort() + "/x.git");
    }
  }

  @Test
  @Timeout(30)
  void aServerThatNeverFinishesIsGivenUp() throws IOException {
    try (GitHttpServer server = new GitHttpServer("git", "t0ken", first)) {
      assertGivenUp(server.address("endless"));
    }
  }

  private static void assertGivenUp(String url) {
    GitRevision impatient = new GitRevision(Duration.ofSeconds(1), false);
    GitCredentials token = new GitCredentials.Token("t0ken");

    assertThat(
            catchThrowableOfType(
                SourceUnavailable.class, () -> impatient.resolve(url, "main", token)))
        .hasMessage("git repository " + url + " did not answer in time");
  }

  @Test
  void aTokenOrANameAndPasswordOpenARepository() throws IOException, SourceUnavailable {
    try (GitHttpServer server = new GitHttpServer("git", "t0ken", first)) {
      assertThat(revisions.resolve(server.url(), "main", new GitCredentials.Token("t0ken")))
          .isEqualTo(first);
      assertThat(revisions.resolve(server.url(), "main", new GitCredentials.Basic("git", "t0ken")))
          .isEqualTo(first);
    }
  }

  @Test
  void anOrdinaryWebPageIsNoRepository() throws IOException {
    try (GitHttpServer server = new GitHttpServer("git", "t0ken", first)) {
      String url = server.address("page.html");
      GitCredentials token = new GitCredentials.Token("t0ken");

      assertThat(
              catchThrowableOfType(
                  SourceUnavailable.class, () -> revisions.resolve(url, "main", token)))
          .hasMessage(
              "git repository "
                  + url
                  + " gave no answer that git understands: check the address, or that its host is well");
    }
  }

  @Test
  void refusedCredentialsAreToldApartAndNotShown() throws IOException {
    try (GitHttpServer server = new GitHttpServer("git", "t0ken", first)) {
      for (GitCredentials wrong :
          new GitCredentials[] {
            OPEN, new GitCredentials.Token("canary"), new GitCredentials.Basic("git", "canary")
          }) {
        assertThat(
                catchThrowableOfType(
                    SourceUnavailable.class, () -> revisions.resolve(server.url(), "main", wrong)))
            .hasMessage(
                "git repository "
                    + server.url()
                    + " refuses access: check the credentials and that they may read it");
        assertThat(wrong.toString()).doesNotContain("canary");
      }
    }
  }

  private SourceUnavailable failure(String url, String ref) {
    return catchThrowableOfType(SourceUnavailable.class, () -> revisions.resolve(url, ref, OPEN));
  }

  private String commit(String message) throws GitAPIException {
    RevCommit commit =
        git.commit()
            .setMessage(message)
            .setAuthor("Test", "test@example.com")
            .setCommitter("Test", "test@example.com")
            .setAllowEmpty(true)
            .setSign(false)
            .call();
    return commit.name();
  }
}
