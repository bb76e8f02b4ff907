package dev.reprise.stack.source;

/**
 * A source that cannot be read at the moment; trying again later may help. The message holds no
 * credentials.
 */
public final class SourceUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param source the source as a person knows it, free of credentials
   * @param problem what is wrong, read after the source, and what to do about it
   */
  public SourceUnavailable(String source, String problem) {
    super(source + " " + problem);
  }
}
