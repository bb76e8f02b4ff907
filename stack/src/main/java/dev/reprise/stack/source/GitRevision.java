package dev.reprise.stack.source;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.LsRemoteCommand;
import org.eclipse.jgit.api.errors.InvalidRemoteException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.jspecify.annotations.Nullable;

/**
 * The commit that a branch or tag of a git repository points at now, by asking the repository
 * without cloning it.
 */
public final class GitRevision {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

  private static final String NO_GIT =
      "gave no answer that git understands: check the address, or that its host is well";

  private final Duration timeout;
  private final boolean localAllowed;
  private final GitAccess access = new GitAccess();

  /**
   * Makes a resolver.
   *
   * @param timeout the longest to wait for a repository, in all
   * @param localAllowed whether paths and {@code file:} addresses may be read; in a cluster they
   *     would be the operator's own files
   */
  public GitRevision(Duration timeout, boolean localAllowed) {
    this.timeout = timeout;
    this.localAllowed = localAllowed;
  }

  /**
   * Whether a ref is a whole commit hash, which needs no look at the repository and never moves.
   */
  public static boolean isCommit(String ref) {
    return COMMIT.matcher(ref).matches();
  }

  /**
   * The commit of a ref: itself if it is a whole commit hash, else that of the branch, else of the
   * tag, of that name. The commit of an annotated tag is the one it was put on.
   *
   * @param url the repository's address
   * @param ref a branch or tag, short or full ({@code refs/...}), or a commit
   * @throws SourceUnavailable when the repository cannot be asked or has no such ref
   */
  public String resolve(String url, String ref, GitCredentials credentials)
      throws SourceUnavailable {
    if (isCommit(ref)) {
      return ref;
    }
    GitUrl address = GitUrl.parse(url);
    refuse(address);
    Map<String, Ref> refs = list(url, address, ref, credentials);
    for (String name : List.of(ref, "refs/heads/" + ref, "refs/tags/" + ref)) {
      Ref found = refs.get(name);
      ObjectId commit = found == null ? null : commit(found);
      if (commit != null) {
        return commit.name();
      }
    }
    throw new SourceUnavailable(
        address.shown(), "has no branch or tag " + ref + ": correct the name or push it");
  }

  private void refuse(GitUrl address) throws SourceUnavailable {
    switch (address.transport()) {
      case NETWORK, SSH -> {}
      case LOCAL -> {
        if (!localAllowed) {
          throw new SourceUnavailable(address.shown(), "is no address on the network: use https");
        }
      }
      case UNKNOWN ->
          throw new SourceUnavailable(address.shown(), "has an unknown scheme: use https");
    }
  }

  private Map<String, Ref> list(String url, GitUrl address, String ref, GitCredentials credentials)
      throws SourceUnavailable {
    boolean full = ref.startsWith("refs/");
    LsRemoteCommand command =
        Git.lsRemoteRepository()
            .setRemote(url)
            .setHeads(!full)
            .setTags(!full)
            .setTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())));
    try (GitAccess.Opened opened = access.prepare(command, address, credentials)) {
      return within(command, address.shown());
    }
  }

  // JGit's own timeout starts anew with each byte, so a server could hold the caller for ever.
  private Map<String, Ref> within(LsRemoteCommand command, String shown) throws SourceUnavailable {
    FutureTask<Map<String, Ref>> call = new FutureTask<>(command::callAsMap);
    Thread thread = Thread.ofVirtual().name("git ls-remote").start(call);
    try {
      return call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SourceUnavailable(shown, "did not answer in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceUnavailable(shown, "was not waited for");
    } catch (ExecutionException e) {
      throw new SourceUnavailable(shown, problem(e.getCause()));
    } finally {
      thread.interrupt();
    }
  }

  private static @Nullable ObjectId commit(Ref ref) {
    ObjectId peeled = ref.getPeeledObjectId();
    return peeled == null ? ref.getObjectId() : peeled;
  }

  // Told by type: the texts of these exceptions hold the address as it was given, with any
  // credentials in it.
  private static String problem(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (text.contains("not authorized")
          || text.contains("authentication")
          || text.contains("not permitted")
          || text.contains("auth fail")
          || text.contains("no more authentication methods")) {
        return "refuses access: check the credentials and that they may read it";
      }
      if (text.contains("server key did not validate")) {
        return "shows another host key than before: check that it is the right host; a worker or"
            + " watcher that is started anew believes the new one";
      }
      if (e instanceof NoRemoteRepositoryException || e instanceof InvalidRemoteException) {
        return "does not exist or is hidden: check the address and the credentials";
      }
      if (e instanceof UnknownHostException) {
        return "is on a host that is not known: check the address and the name service";
      }
      if (e instanceof SocketTimeoutException
          || text.contains("read timed out")
          || text.contains("connection time")) {
        return "did not answer in time";
      }
      if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
        return "cannot be connected to";
      }
      if (e instanceof SSLException) {
        return "cannot be trusted: its TLS certificate or protocol was refused";
      }
    }
    // Also the unchecked exceptions that JGit throws at addresses and servers it cannot use.
    return NO_GIT;
  }
}
