package dev.reprise.stack.source;

/** What opens a git repository. The text forms show no secret. */
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

  /**
   * A private key, for an address that is reached by ssh.
   *
   * @param privateKey in PEM or OpenSSH form
   * @param passphrase what opens the key; "" = nothing
   */
  record Ssh(String privateKey, String passphrase) implements GitCredentials {
    @Override
    public String toString() {
      return "Ssh[masked]";
    }
  }

  /**
   * An installation of a GitHub App, which gets short-lived tokens.
   *
   * @param privateKey the App's RSA key in PEM form
   */
  record GitHubApp(String appId, String installationId, String privateKey)
      implements GitCredentials {
    @Override
    public String toString() {
      return "GitHubApp[" + appId + ", " + installationId + ", masked]";
    }
  }
}
