package dev.reprise.agent.git;

import dev.reprise.agent.operation.Durable;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jgit.api.FetchCommand;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.LsRemoteCommand;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.api.errors.TransportException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.URIish;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program in a git repository.
 *
 * @param url where the repository is; file, http, https and ssh
 * @param revision a commit (40 hex digits), or the name of a branch or tag, short or from {@code
 *     refs/} on; empty for the server's default branch
 * @param subfolder the program's folder inside the repository; empty for its root
 * @param shallow whether to leave the history out; a commit that the server does not hand out by
 *     itself is then still fetched with history
 * @param credentials how to sign in
 */
public record GitSource(
    String url, String revision, String subfolder, boolean shallow, GitCredentials credentials) {
  private static final Logger log = LoggerFactory.getLogger(GitSource.class);
  private static final String REMOTE = "origin";
  private static final String FETCHED = "refs/reprise/revision";
  private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]*@");
  private static final List<String> PREFIXES = List.of("", "refs/heads/", "refs/tags/");

  /** What was fetched: the commit and the program's folder. */
  public record Checkout(String commit, Path program) {}

  /**
   * Checks the revision out into a folder that does not exist yet. It appears there complete or not
   * at all.
   *
   * @param timeout how long the server may be silent
   * @throws IOException if the server cannot be reached or refuses, or there is no such revision or
   *     subfolder; the message holds no credentials
   */
  public Checkout fetch(Path target, Duration timeout) throws IOException {
    if (Files.exists(target)) {
      throw new IOException("the folder " + target + " exists already");
    }
    Path partial = target.resolveSibling(target.getFileName() + ".partial");
    Durable.delete(partial);
    try (SshSessions ssh = SshSessions.of(credentials)) {
      ObjectId commit = checkout(partial, new Connection(timeout, ssh));
      programIn(partial);
      Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      return new Checkout(commit.name(), programIn(target));
    } catch (JGitInternalException e) {
      // Where JGit declares no exception it wraps them, also those that a bad address brings.
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (GitAPIException | URISyntaxException e) {
      throw failure(e);
    } finally {
      Durable.delete(partial);
    }
  }

  private IOException failure(Throwable e) {
    return new IOException(
        "git: " + withoutSecret(String.valueOf(e.getMessage())) + " (" + shownUrl() + ")", e);
  }

  private record Connection(Duration timeout, SshSessions ssh) {}

  private ObjectId checkout(Path folder, Connection connection)
      throws GitAPIException, URISyntaxException, IOException {
    // Its place is named in full: in a pod GIT_DIR is the program's folder, and JGit would obey it.
    try (Git git =
        Git.init()
            .setDirectory(folder.toFile())
            .setGitDir(folder.resolve(Constants.DOT_GIT).toFile())
            .call()) {
      noBackgroundWork(git.getRepository().getConfig());
      git.remoteAdd().setName(REMOTE).setUri(new URIish(url)).call();
      ObjectId commit =
          ObjectId.isId(revision) ? fetchCommit(git, connection) : fetchNamed(git, connection);
      git.checkout().setName(commit.name()).call();
      return commit;
    }
  }

  /** Housekeeping after a fetch would write into the folder while it is moved or deleted. */
  private static void noBackgroundWork(StoredConfig config) {
    config.setInt("gc", null, "auto", 0);
    config.setBoolean("gc", null, "autoDetach", false);
  }

  private ObjectId fetchNamed(Git git, Connection connection) throws GitAPIException, IOException {
    fetch(git, find(connection), connection);
    ObjectId commit = git.getRepository().resolve(FETCHED + "^{commit}");
    if (commit == null) {
      throw new IOException("git: \"" + revision + "\" is not a commit at " + shownUrl());
    }
    return commit;
  }

  private ObjectId fetchCommit(Git git, Connection connection) throws GitAPIException, IOException {
    ObjectId commit = ObjectId.fromString(revision);
    try {
      fetch(git, revision, connection);
    } catch (TransportException notHandedOut) {
      log.debug("fetching all branches, since the server does not give a commit alone");
    }
    if (!has(git, commit)) {
      sign(git.fetch(), connection)
          .setRemote(REMOTE)
          .setRefSpecs("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
          .call();
    }
    if (!has(git, commit)) {
      throw new IOException("git: no commit " + revision + " at " + shownUrl());
    }
    return commit;
  }

  private static boolean has(Git git, ObjectId commit) throws IOException {
    return git.getRepository().getObjectDatabase().has(commit);
  }

  private void fetch(Git git, String source, Connection connection) throws GitAPIException {
    FetchCommand fetch =
        sign(git.fetch(), connection)
            .setRemote(REMOTE)
            .setRefSpecs(new RefSpec("+" + source + ":" + FETCHED));
    if (shallow) {
      fetch.setDepth(1);
    }
    fetch.call();
  }

  private String find(Connection connection) throws GitAPIException, IOException {
    LsRemoteCommand list = sign(Git.lsRemoteRepository(), connection).setRemote(url);
    Collection<Ref> refs = list.call();
    String wanted = revision.isEmpty() ? "HEAD" : revision;
    return PREFIXES.stream()
        .map(prefix -> prefix + wanted)
        .filter(name -> refs.stream().anyMatch(ref -> ref.getName().equals(name)))
        .findFirst()
        .orElseThrow(
            () -> new IOException("git: no branch or tag \"" + wanted + "\" at " + shownUrl()));
  }

  private <C extends TransportCommand<C, ?>> C sign(C command, Connection connection) {
    command.setTimeout((int) connection.timeout().toSeconds());
    command.setTransportConfigCallback(connection.ssh()::use);
    credentials.provider().ifPresent(command::setCredentialsProvider);
    return command;
  }

  private Path programIn(Path folder) throws IOException {
    Path program = folder.resolve(subfolder).normalize();
    if (!Files.isDirectory(program)) {
      throw new IOException("git: no folder \"" + subfolder + "\" at " + shownUrl());
    }
    // A link in the repository must not lead out of it.
    if (!program.toRealPath().startsWith(folder.toRealPath())) {
      throw new IOException("git: folder \"" + subfolder + "\" leads out of the repository");
    }
    return program;
  }

  private String shownUrl() {
    try {
      return withoutSecret(new URIish(url).setUser(null).setPass(null).toString());
    } catch (URISyntaxException e) {
      return "an invalid URL";
    }
  }

  private String withoutSecret(String text) {
    String secret = credentials.secret();
    String clean = secret.isEmpty() ? text : text.replace(secret, "[secret]");
    // JGit quotes the address; hosts take a token as user name too, so that goes with the password.
    return USER_INFO.matcher(clean).replaceAll("://").replaceAll("\\s*\\R\\s*", "; ");
  }
}
