package dev.reprise.agent.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SshTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String PASSPHRASE = "canary-77aa";

  @TempDir Path folder;
  private KeyPair key = SshGitServer.newKey("ssh-ed25519", 256);
  private SshGitServer server;

  SshTest(@TempDir Path repository) throws Exception {
    server = new SshGitServer(Repositories.create(repository.resolve("r")), key);
  }

  @BeforeEach
  void targetIsNew() {
    assertThat(target()).doesNotExist();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Path target() {
    return folder.resolve("target");
  }

  private GitSource source(String revision, GitCredentials credentials) {
    return new GitSource(server.url(), revision, "", true, credentials);
  }

  private static GitCredentials.SshKey key(KeyPair pair, String passphrase, Path... knownHosts)
      throws Exception {
    return new GitCredentials.SshKey(
        SshGitServer.text(pair, passphrase), passphrase, List.of(knownHosts));
  }

  private IOException refusal(GitCredentials credentials) {
    return catchThrowableOfType(
        IOException.class, () -> source("main", credentials).fetch(target(), TIMEOUT));
  }

  @ParameterizedTest
  @CsvSource({"main, '', two", "v1, " + PASSPHRASE + ", one"})
  void aKeyOpensTheRepository(String revision, String passphrase, String content) throws Exception {
    source(revision, key(key, passphrase)).fetch(target(), TIMEOUT);

    assertThat(target().resolve("Pulumi.yaml")).hasContent(content);
  }

  @ParameterizedTest
  @CsvSource({"ssh-rsa, 2048", "ecdsa-sha2-nistp256, 256"})
  void otherKindsOfKeysDoToo(String type, int size) throws Exception {
    server.close();
    key = SshGitServer.newKey(type, size);
    server = new SshGitServer(Repositories.create(folder.resolve("other")), key);

    source("main", key(key, "")).fetch(target(), TIMEOUT);

    assertThat(target().resolve("Pulumi.yaml")).hasContent("two");
  }

  @Test
  void aKeyThatTheServerDoesNotKnowIsRefused() throws Exception {
    assertThat(refusal(key(SshGitServer.newKey("ssh-ed25519", 256), "")))
        .hasMessageContaining("127.0.0.1")
        .hasMessageContaining("Cannot log in")
        .message()
        .hasLineCount(1);
  }

  @Test
  void aWrongPassphraseIsNamedAndNotShown() throws Exception {
    GitCredentials.SshKey good = key(key, PASSPHRASE);
    IOException wrong =
        refusal(new GitCredentials.SshKey(good.privateKey(), "canary-wrong", List.of()));
    IOException none = refusal(new GitCredentials.SshKey(good.privateKey(), "", List.of()));

    assertThat(wrong).hasMessageContaining("must be its passphrase");
    assertThat(wrong.getMessage() + good).doesNotContain("canary").doesNotContain("PRIVATE KEY");
    assertThat(none).hasMessageContaining("needs that as its password");
  }

  @Test
  void whatIsNoKeyIsNamed() {
    assertThat(refusal(new GitCredentials.SshKey("hunter2", "", List.of())))
        .hasMessageContaining("ssh private key cannot be read")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void withKnownHostsOnlyTheirKeysAreTaken() throws Exception {
    Path right = folder.resolve("right");
    Files.writeString(right, server.knownAs(server.hostKey));
    Path wrong = folder.resolve("wrong");
    Files.writeString(wrong, server.knownAs(SshGitServer.newKey("ecdsa-sha2-nistp256", 256)));
    Path empty = folder.resolve("empty");
    Files.writeString(empty, "");

    assertThat(refusal(key(key, "", wrong))).hasMessageContaining("Server key did not validate");
    assertThat(refusal(key(key, "", empty))).hasMessageContaining("Server key did not validate");
    assertThat(target()).doesNotExist();
    assertThat(source("main", key(key, "", right)).fetch(target(), TIMEOUT).program())
        .isEqualTo(target());
  }
}
