package dev.reprise.agent.git;

import java.util.Optional;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/** How to sign in at a git server over HTTP. */
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

  /** In JGit's terms. */
  default Optional<CredentialsProvider> provider() {
    return switch (this) {
      case None none -> Optional.empty();
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
      case Token token -> token.token();
      case Basic basic -> basic.password();
    };
  }
}
