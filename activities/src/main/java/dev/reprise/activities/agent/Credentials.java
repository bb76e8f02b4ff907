package dev.reprise.activities.agent;

/** Proves to an agent who calls. */
public interface Credentials {

  /**
   * The bearer token for a call that is about to be made; "" = none. May ask the API server.
   *
   * @throws CredentialsUnavailable when there is none now
   */
  String token() throws CredentialsUnavailable;

  /** An agent took a token for no good one: it is not offered again. */
  void refused(String token);

  /** Always the same token; "" = none. */
  static Credentials fixed(String token) {
    return new Fixed(token);
  }

  /**
   * Always the same.
   *
   * @param token the bearer token; "" = none
   */
  record Fixed(String token) implements Credentials {
    @Override
    public void refused(String refused) {}

    /** Without the token. */
    @Override
    public String toString() {
      return "Fixed";
    }
  }
}
