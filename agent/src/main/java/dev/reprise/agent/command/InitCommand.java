package dev.reprise.agent.command;

import dev.reprise.agent.init.FluxInit;
import dev.reprise.agent.init.GitInit;
import dev.reprise.agent.init.ProjectInit;
import dev.reprise.agent.tls.Certificates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code agent init}: fills a workspace. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = {
      "Fills a folder from a git repository, from the artifact of a Flux source, or with a project"
          + " file. Can be repeated.",
      "Credentials come in GIT_SSH_PRIVATE_KEY (its passphrase in GIT_PASSWORD), GIT_TOKEN,"
          + " GIT_GITHUB_APP_ID with GIT_GITHUB_APP_INSTALLATION_ID and GIT_GITHUB_APP_PRIVATE_KEY,"
          + " or GIT_USERNAME and GIT_PASSWORD."
    })
final class InitCommand implements Callable<Integer> {
  private final Map<String, String> environment;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-t", "--target-dir"},
      required = true,
      paramLabel = "DIR",
      description = "The folder to fill; made if it is not there.")
  Path target = Path.of("");

  @Option(names = "--git-url", paramLabel = "URL", description = "The repository.")
  String gitUrl = "";

  @Option(
      names = "--git-revision",
      paramLabel = "REVISION",
      description = "A branch, a tag or a commit (default: the default branch).")
  String gitRevision = "";

  @Option(names = "--git-shallow", description = "Leave the history out; so does GIT_SHALLOW=true.")
  boolean gitShallow;

  @Option(names = "--flux-url", paramLabel = "URL", description = "The artifact, a tar.gz file.")
  String fluxUrl = "";

  @Option(
      names = "--flux-digest",
      paramLabel = "DIGEST",
      description = "What the artifact must have, such as sha256:3f...")
  String fluxDigest = "";

  @Option(names = "--project-name", paramLabel = "NAME", description = "Of a bare project.")
  String projectName = "";

  @Option(names = "--project-runtime", paramLabel = "RUNTIME", description = "Of a bare project.")
  String projectRuntime = "";

  InitCommand() {
    this(System.getenv());
  }

  InitCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    long sources = Stream.of(gitUrl, fluxUrl, projectName).filter(s -> !s.isEmpty()).count();
    if (sources != 1) {
      throw new ParameterException(
          spec.commandLine(), "name exactly one of --git-url, --flux-url and --project-name");
    }
    try {
      spec.commandLine().getOut().println("agent init: " + fill());
      return AgentCommand.DONE;
    } catch (IOException e) {
      spec.commandLine().getErr().println("agent init: " + e.getMessage() + Certificates.hint(e));
      return AgentCommand.FAILED;
    }
  }

  private String fill() throws IOException, InterruptedException {
    Certificates.trust(environment);
    if (!gitUrl.isEmpty()) {
      return target
          + " holds commit "
          + new GitInit(environment, InstantSource.system())
              .run(target, gitUrl, gitRevision, gitShallow);
    }
    if (!fluxUrl.isEmpty()) {
      new FluxInit(environment).run(target, fluxUrl, fluxDigest);
      return target + " holds the artifact " + fluxDigest;
    }
    if (projectRuntime.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--project-name needs --project-runtime, such as yaml or nodejs");
    }
    new ProjectInit().run(target, projectName, projectRuntime);
    return target + " holds the project file of " + projectName;
  }
}
