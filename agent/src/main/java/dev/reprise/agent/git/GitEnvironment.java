package dev.reprise.agent.git;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.transport.URIish;

/**
 * The environment variables in which a workspace's pod hands over how to sign in at the git server.
 * The first of these that is there is used: {@code GIT_SSH_PRIVATE_KEY} (with {@code GIT_PASSWORD}
 * as its passphrase), {@code GIT_TOKEN}, {@code GIT_GITHUB_APP_ID} with {@code
 * GIT_GITHUB_APP_INSTALLATION_ID} and {@code GIT_GITHUB_APP_PRIVATE_KEY}, {@code GIT_USERNAME} with
 * {@code GIT_PASSWORD}. Line ends around a value are taken off: Secrets made from files have them.
 */
public final class GitEnvironment {
  /** Files with trusted host keys, separated by colons. */
  public static final String KNOWN_HOSTS = "SSH_KNOWN_HOSTS";

  /** The REST API of a GitHub Enterprise server, if it is not at the repository's host. */
  public static final String GITHUB_API = "GIT_GITHUB_API_URL";

  private final Map<String, String> environment;

  /**
   * @param environment the variables
   */
  public GitEnvironment(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /**
   * What to sign in with at a repository.
   *
   * @throws IOException if something is missing or cannot be used, or if GitHub gives no token
   */
  public GitCredentials credentials(String url, InstantSource clock)
      throws IOException, InterruptedException {
    if (given("GIT_SSH_PRIVATE_KEY")) {
      return new GitCredentials.SshKey(
          value("GIT_SSH_PRIVATE_KEY"), value("GIT_PASSWORD"), knownHosts());
    }
    if (given("GIT_TOKEN")) {
      return given("GIT_USERNAME")
          ? new GitCredentials.Basic(value("GIT_USERNAME"), value("GIT_TOKEN"))
          : new GitCredentials.Token(value("GIT_TOKEN"));
    }
    if (given("GIT_GITHUB_APP_ID")) {
      return new GitHubApp(
              value("GIT_GITHUB_APP_ID"),
              required("GIT_GITHUB_APP_INSTALLATION_ID"),
              required("GIT_GITHUB_APP_PRIVATE_KEY"),
              gitHubApi(url))
          .credentials(clock);
    }
    if (given("GIT_USERNAME") || given("GIT_PASSWORD")) {
      return new GitCredentials.Basic(value("GIT_USERNAME"), value("GIT_PASSWORD"));
    }
    return new GitCredentials.None();
  }

  private List<Path> knownHosts() throws IOException {
    if (given(KNOWN_HOSTS)) {
      List<Path> files =
          Stream.of(value(KNOWN_HOSTS).split(File.pathSeparator, -1)).map(Path::of).toList();
      for (Path file : files) {
        if (!Files.isReadable(file)) {
          throw new IOException("git: " + KNOWN_HOSTS + " names " + file + ", which is not there");
        }
      }
      return files;
    }
    Path home = Path.of(environment.getOrDefault("HOME", "/"));
    return Stream.of(home.resolve(".ssh/known_hosts"), Path.of("/etc/ssh/ssh_known_hosts"))
        .filter(Files::isReadable)
        .toList();
  }

  private URI gitHubApi(String url) throws IOException {
    try {
      return given(GITHUB_API)
          ? new URI(value(GITHUB_API).replaceAll("/+$", ""))
          : GitHubApp.apiOf(new URIish(url));
    } catch (URISyntaxException e) {
      throw new IOException(
          "git: " + (given(GITHUB_API) ? GITHUB_API : "the repository") + " is no valid address",
          e);
    }
  }

  private String required(String name) throws IOException {
    if (!given(name)) {
      throw new IOException("git: GIT_GITHUB_APP_ID is set, but " + name + " is missing or empty");
    }
    return value(name);
  }

  private boolean given(String name) {
    return !value(name).isEmpty();
  }

  private String value(String name) {
    return environment.getOrDefault(name, "").strip();
  }
}
