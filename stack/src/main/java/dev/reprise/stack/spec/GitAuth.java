package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * Credentials for a git repository, tried in the order ssh, access token, GitHub App, user name and
 * password.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record GitAuth(
    SshAuth sshAuth, ResourceRef accessToken, GitHubApp githubApp, BasicAuth basicAuth) {
  /** No credentials. */
  public static final GitAuth NONE =
      new GitAuth(SshAuth.NONE, ResourceRef.NONE, GitHubApp.NONE, BasicAuth.NONE);

  public GitAuth {
    sshAuth = Absent.or(sshAuth, SshAuth.NONE);
    accessToken = Absent.or(accessToken, ResourceRef.NONE);
    githubApp = Absent.or(githubApp, GitHubApp.NONE);
    basicAuth = Absent.or(basicAuth, BasicAuth.NONE);
  }

  /** A private key, and the passphrase that opens it if it has one. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record SshAuth(ResourceRef sshPrivateKey, ResourceRef password) {
    static final SshAuth NONE = new SshAuth(ResourceRef.NONE, ResourceRef.NONE);

    public SshAuth {
      sshPrivateKey = Absent.or(sshPrivateKey, ResourceRef.NONE);
      password = Absent.or(password, ResourceRef.NONE);
    }
  }

  /** A GitHub App's installation. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record GitHubApp(ResourceRef appID, ResourceRef installationID, ResourceRef privateKey) {
    static final GitHubApp NONE =
        new GitHubApp(ResourceRef.NONE, ResourceRef.NONE, ResourceRef.NONE);

    public GitHubApp {
      appID = Absent.or(appID, ResourceRef.NONE);
      installationID = Absent.or(installationID, ResourceRef.NONE);
      privateKey = Absent.or(privateKey, ResourceRef.NONE);
    }
  }

  /** A user name and a password. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record BasicAuth(ResourceRef userName, ResourceRef password) {
    static final BasicAuth NONE = new BasicAuth(ResourceRef.NONE, ResourceRef.NONE);

    public BasicAuth {
      userName = Absent.or(userName, ResourceRef.NONE);
      password = Absent.or(password, ResourceRef.NONE);
    }
  }
}
