package dev.reprise.stack.source;

/** What opens a git repository over HTTP. The text forms show no secret. */
public sealed interface GitCredentials {
  /** A repository open to all. */
  record None() implements GitCredentials {}

  /** An access token. */
  record Token(String token) implements GitCredentials {
    @Override
    public String toString() {
      return "Token[masked]";
    }
  }

  /** A user name and a password. */
  record Basic(String userName, String password) implements GitCredentials {
    @Override
    public String toString() {
      return "Basic[" + userName + ", masked]";
    }
  }
}
