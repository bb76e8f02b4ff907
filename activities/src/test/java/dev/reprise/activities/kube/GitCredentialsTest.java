package dev.reprise.activities.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.SpecReader;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class GitCredentialsTest {
  private final Cluster cluster = Cluster.bare();
  private final InputsReader reader = new InputsReader(cluster.client);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theFirstKindOfGitAuthThatIsGivenIsTaken() throws Exception {
    cluster.secret(
        "git", Map.of("key", "K", "pass", "P", "token", "T", "id", "7", "inst", "42", "user", "U"));
    String ssh =
        "\"sshAuth\": {\"sshPrivateKey\": %s, \"password\": %s}".formatted(ref("key"), ref("pass"));
    String token = "\"accessToken\": %s".formatted(ref("token"));
    String app =
        "\"githubApp\": {\"appID\": %s, \"installationID\": %s, \"privateKey\": %s}"
            .formatted(ref("id"), ref("inst"), ref("key"));
    String basic =
        "\"basicAuth\": {\"userName\": %s, \"password\": %s}".formatted(ref("user"), ref("pass"));
    String all = String.join(",", ssh, token, app, basic);

    assertThat(auth(all)).isEqualTo(new GitCredentials.Ssh("K", "P"));
    assertThat(auth(String.join(",", token, app, basic))).isEqualTo(new GitCredentials.Token("T"));
    assertThat(auth(app + "," + basic)).isEqualTo(new GitCredentials.GitHubApp("7", "42", "K"));
    assertThat(auth(basic)).isEqualTo(new GitCredentials.Basic("U", "P"));
    assertThat(auth("\"sshAuth\": {\"sshPrivateKey\": %s}".formatted(ref("key"))))
        .isEqualTo(new GitCredentials.Ssh("K", ""));
  }

  @Test
  void theOlderFormOfSecretIsTriedInThePulumiKubernetesOperatorsOrder() throws Exception {
    Map<String, String> basic = Map.of("username", "U", "password", "P");
    assertThat(secret("basic", basic)).isEqualTo(new GitCredentials.Basic("U", "P"));
    assertThat(secret("token", Map.of("accessToken", "T", "username", "U", "password", "P")))
        .isEqualTo(new GitCredentials.Token("T"));
    assertThat(secret("ssh", Map.of("sshPrivateKey", "K", "password", "P", "accessToken", "T")))
        .isEqualTo(new GitCredentials.Ssh("K", "P"));
    assertThat(secret("other", Map.of("x", "y"))).isEqualTo(new GitCredentials.None());
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> auth("\"accessToken\": " + ref("token")))
        .isInstanceOf(InputMissing.class)
        .hasMessageContaining("spec.gitAuth.accessToken")
        .hasMessageContaining("apps/git");
  }

  private static String ref(String key) {
    return "{\"type\": \"Secret\", \"secret\": {\"name\": \"git\", \"key\": \"%s\"}}"
        .formatted(key);
  }

  private GitCredentials auth(String fields) throws Exception {
    return of("\"gitAuth\": {" + fields + "}");
  }

  private GitCredentials secret(String name, Map<String, String> values) throws Exception {
    cluster.secret(name, values);
    return of("\"gitAuthSecret\": \"" + name + "\"");
  }

  private GitCredentials of(String fields) throws Exception {
    String spec =
        "{\"stack\": \"dev\", \"projectRepo\": \"https://git.example/x\", \"branch\": \"main\", "
            + fields
            + "}";
    Source.Git source =
        (Source.Git)
            Source.of(SpecReader.read(JsonMapper.shared().readTree(spec), Cluster.NAMESPACE));
    return reader.gitCredentials(source.auth(), source.authSecret(), Cluster.NAMESPACE);
  }
}
