package dev.reprise.agent.init;

import dev.reprise.agent.git.GitCredentials;
import dev.reprise.agent.git.GitEnvironment;
import dev.reprise.agent.git.GitSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Checks a git revision out. */
public final class GitInit {
  /** The variable that asks for a checkout without history when it says {@code true}. */
  public static final String SHALLOW = "GIT_SHALLOW";

  private static final Duration SERVER_SILENCE = Duration.ofSeconds(60);

  private final Map<String, String> environment;
  private final InstantSource clock;

  /**
   * @param environment the credentials, see {@link GitEnvironment}, and {@link #SHALLOW}
   */
  public GitInit(Map<String, String> environment, InstantSource clock) {
    this.environment = Map.copyOf(environment);
    this.clock = clock;
  }

  /**
   * Fills a folder with one revision.
   *
   * @param revision a branch, a tag or a commit; empty for the default branch
   * @param shallow whether to leave the history out, also if the environment does not ask for it
   * @return the commit
   * @throws IOException with a message that names the cause and no secret
   */
  public String run(Path folder, String url, String revision, boolean shallow)
      throws IOException, InterruptedException {
    GitCredentials credentials = new GitEnvironment(environment).credentials(url, clock);
    Target target = Target.of(folder);
    target.clear();
    boolean withoutHistory = shallow || environment.getOrDefault(SHALLOW, "").equals("true");
    return new GitSource(url, revision, "", withoutHistory, credentials)
        .fetch(target.folder(), SERVER_SILENCE)
        .commit();
  }
}
