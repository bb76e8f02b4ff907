package dev.reprise.stack.source;

import java.nio.file.Path;
import java.util.List;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/** Gives a call to a git repository what opens it. */
final class GitAccess {
  private final GitHubTokens gitHub = new GitHubTokens();
  private final HostKeys believed = new HostKeys();
  private final List<Path> knownHosts = HostKeys.files(System.getenv());

  /** What was opened for a call and has to be closed after it. */
  @FunctionalInterface
  interface Opened extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Prepares a call.
   *
   * @return to be closed when the call is over
   * @throws SourceUnavailable when the credentials do not fit the address, or are none
   */
  Opened prepare(TransportCommand<?, ?> call, GitUrl address, GitCredentials credentials)
      throws SourceUnavailable {
    boolean ssh = address.transport() == GitUrl.Transport.SSH;
    switch (credentials) {
      case GitCredentials.Ssh key -> {
        if (!ssh) {
          throw new SourceUnavailable(
              address.shown(), "is not reached by ssh, but its credentials are an ssh key");
        }
        return prepareSsh(call, address, key);
      }
      case GitCredentials.None() -> {
        if (ssh) {
          throw new SourceUnavailable(
              address.shown(), "is reached by ssh and no key is given: set gitAuth.sshAuth");
        }
      }
      // Hosts look at the token only; any user name will do.
      case GitCredentials.Token(String token) -> prepareHttp(call, address, ssh, "git", token);
      case GitCredentials.Basic(String userName, String password) ->
          prepareHttp(call, address, ssh, userName, password);
      case GitCredentials.GitHubApp app -> {
        refuseSsh(address, ssh);
        prepareHttp(call, address, false, "x-access-token", gitHub.token(address, app));
      }
    }
    return () -> {};
  }

  private static void prepareHttp(
      TransportCommand<?, ?> call, GitUrl address, boolean ssh, String userName, String password)
      throws SourceUnavailable {
    refuseSsh(address, ssh);
    call.setCredentialsProvider(new UsernamePasswordCredentialsProvider(userName, password));
  }

  private static void refuseSsh(GitUrl address, boolean ssh) throws SourceUnavailable {
    if (ssh) {
      throw new SourceUnavailable(
          address.shown(),
          "is reached by ssh, which needs gitAuth.sshAuth: give that, or use an https address");
    }
  }

  private Opened prepareSsh(TransportCommand<?, ?> call, GitUrl address, GitCredentials.Ssh key)
      throws SourceUnavailable {
    SshSessions sessions = new SshSessions(SshSessions.keys(address, key), knownHosts, believed);
    call.setTransportConfigCallback(
        transport -> {
          if (transport instanceof SshTransport overSsh) {
            overSsh.setSshSessionFactory(sessions);
          }
        });
    return sessions::close;
  }
}
