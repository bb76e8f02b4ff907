package dev.reprise.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.agent.Access;
import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.TlsServer;
import dev.reprise.agent.git.Repositories;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class CommandTest {
  private static final List<String> KUBE =
      List.of(
          "--auth-mode=kube",
          "--kube-audience=shop.team",
          "--kube-workspace-namespace=team",
          "--kube-workspace-name=shop");

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();

  private int run(Object command, String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(arguments);
  }

  private static AgentConfig config(Map<String, String> environment, String... arguments)
      throws IOException {
    ServeCommand serve = new ServeCommand(environment);
    new CommandLine(serve).parseArgs(arguments);
    return serve.config();
  }

  @Test
  void initFillsAFolderFromGit() throws Exception {
    String url = Repositories.create(folder.resolve("r")).toUri().toString();
    String target = folder.resolve("t").toString();

    int code =
        run(new InitCommand(Map.of()), "-t", target, "--git-url", url, "--git-revision", "v1");

    assertThat(code).isZero();
    assertThat(folder.resolve("t/Pulumi.yaml")).hasContent("one");
  }

  @Test
  void initSaysInOneLineWhatIsWrongAndNoSecret() {
    int code =
        run(
            new InitCommand(Map.of("GIT_TOKEN", "canary")),
            "--target-dir",
            folder.resolve("t").toString(),
            "--git-url",
            "http://canary@127.0.0.1:1/r");

    assertThat(code).isEqualTo(1);
    assertThat(out.toString())
        .startsWith("agent init: git: ")
        .contains("127.0.0.1")
        .doesNotContain("canary")
        .hasLineCount(1);
  }

  @Test
  void initSaysHowToTrustAHostWithItsOwnCertificates() throws Exception {
    try (TlsServer tls = new TlsServer(folder, new byte[1], 200)) {
      String server = tls.serve("mine") + "/r";

      run(new InitCommand(Map.of()), "-t", folder.resolve("t").toString(), "--git-url", server);
    }

    assertThat(out.toString()).contains("SSL").contains("in SSL_CERT_FILE").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'', name exactly one of",
    "--git-url=u --flux-url=v, name exactly one of",
    "--project-name=p, needs --project-runtime",
  })
  void initNeedsOneSource(String arguments, String said) {
    int code =
        run(
            new InitCommand(Map.of()),
            ("-t " + folder.resolve("t") + " " + arguments).strip().split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(out.toString()).contains(said);
  }

  @Test
  void serveListensOnLoopbackUnlessToldOtherwise() throws Exception {
    AgentConfig config = config(Map.of(), "--workspace", folder.toString(), "--state", "s");

    assertThat(config.host()).isEqualTo("127.0.0.1");
    assertThat(config.port()).isZero();
    assertThat(config.access()).isEqualTo(new Access.Open());
    assertThat(config(Map.of(), "--workspace=w", "--address", "0.0.0.0", "--port", "7").toString())
        .contains("0.0.0.0:7");
  }

  @Test
  void theTokenComesFromTheEnvironment() throws Exception {
    Map<String, String> environment = Map.of(AgentConfig.TOKEN_VARIABLE, "t");

    assertThat(config(environment, "--workspace=w").access()).isEqualTo(new Access.Token("t"));
    assertThat(config(environment, "--workspace=w", "--auth-mode", "none").access())
        .isEqualTo(new Access.Open());
  }

  @Test
  void theOperatorsCommandLineIsUnderstood() throws Exception {
    Path program = Files.createDirectories(folder.resolve("source/app"));
    Path link = Files.createSymbolicLink(folder.resolve("workspace"), program);
    Path variables = folder.resolve(".env");
    Files.writeString(variables, "A=file\nB=file\n");

    AgentConfig config =
        config(
            Map.of("A", "own"),
            "--workspace",
            link.toString(),
            "--skip-install",
            "--env-file",
            variables.toString(),
            "--auth-mode",
            "none",
            "--pulumi-log-level",
            "9");

    assertThat(config.workspace()).isEqualTo(program.toRealPath());
    assertThat(config.stateDir()).isEqualTo(folder.resolve(".agent"));
    assertThat(config.environment()).isEqualTo(Map.of("A", "own", "B", "file"));
    assertThat(config.pulumiLogLevel()).isEqualTo(9);
    assertThat(config.cancelGrace()).isLessThan(Duration.ofMinutes(10));
  }

  @Test
  void kubeNeedsAPodAndThreeNames() {
    String[] all = KUBE.toArray(String[]::new);
    IOException noPod =
        catchThrowableOfType(
            IOException.class,
            () -> {
              ServeCommand serve = new ServeCommand(Map.of());
              new CommandLine(serve)
                  .parseArgs(
                      java.util.stream.Stream.concat(
                              java.util.stream.Stream.of("--workspace=w"), KUBE.stream())
                          .toArray(String[]::new));
              serve.config();
            });

    assertThat(noPod).hasMessageContaining("KUBERNETES_SERVICE_HOST");
    assertThat(run(new ServeCommand(Map.of()), "--workspace=w", all[0], all[1])).isEqualTo(2);
    assertThat(out.toString()).contains("--kube-workspace-name");
    assertThat(run(new ServeCommand(Map.of()), "--workspace=w", "--auth-mode=ldap")).isEqualTo(2);
    assertThat(out.toString()).contains("\"ldap\" is not none, kube or token");
  }

  @Test
  void aWorkspaceThatIsNotThereIsNamed() {
    int code = run(new ServeCommand(Map.of()), "--workspace", folder.resolve("no").toString());

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).contains("the agent cannot start").contains("is no folder");
  }

  @Test
  void aSeparatorBeforeTheArgumentsIsTakenOff() {
    assertThat(Main.withoutSeparator("--", "serve")).containsExactly("serve");
    assertThat(Main.withoutSeparator("serve", "--")).containsExactly("serve", "--");
    assertThat(Main.withoutSeparator()).isEmpty();
  }
}
