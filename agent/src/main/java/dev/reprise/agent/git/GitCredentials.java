package dev.reprise.agent.git;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/** How to sign in at a git server. */
public sealed interface GitCredentials {
  /** Not at all. */
  record None() implements GitCredentials {}

  /** With an access token; the user name beside it is ignored by the usual servers. */
  record Token(String token) implements GitCredentials {
    @Override
    public String toString() {
      return "Token[]";
    }
  }

  /** With user name and password. */
  record Basic(String userName, String password) implements GitCredentials {
    @Override
    public String toString() {
      return "Basic[" + userName + "]";
    }
  }

  /**
   * With a key, over ssh.
   *
   * @param privateKey as in its file, in OpenSSH's own or in PEM format
   * @param passphrase empty if the key has none
   * @param knownHosts files with the host keys that are trusted, in the format of OpenSSH's {@code
   *     known_hosts}; if empty every host key is taken, see {@link SshSessions}
   */
  record SshKey(String privateKey, String passphrase, List<Path> knownHosts)
      implements GitCredentials {
    public SshKey {
      knownHosts = List.copyOf(knownHosts);
    }

    @Override
    public String toString() {
      return "SshKey[known hosts " + knownHosts + "]";
    }
  }

  /** In JGit's terms, for HTTP. */
  default Optional<CredentialsProvider> provider() {
    return switch (this) {
      case None none -> Optional.empty();
      case SshKey key -> Optional.empty();
      case Token token ->
          Optional.of(new UsernamePasswordCredentialsProvider("git", token.token()));
      case Basic basic ->
          Optional.of(new UsernamePasswordCredentialsProvider(basic.userName(), basic.password()));
    };
  }

  /** The part that must not show up in any text; empty if there is none. */
  default String secret() {
    return switch (this) {
      case None none -> "";
      case SshKey key -> key.passphrase();
      case Token token -> token.token();
      case Basic basic -> basic.password();
    };
  }
}
