package dev.reprise.stack.spec;

/**
 * A Stack that cannot be acted on until a person edits it. The message names the field and the
 * remedy, never a value.
 */
public final class SpecInvalid extends Exception {
  private static final long serialVersionUID = 1;

  private final String path;

  /**
   * @param path the field, as in {@code spec.envRefs[TOKEN].type}
   * @param problem what is wrong with it, read after the path: "is missing"
   * @param fix what to do about it, in the imperative
   */
  public SpecInvalid(String path, String problem, String fix) {
    super(path + " " + problem + ": " + fix);
    this.path = path;
  }

  /** The field that has to change, as in {@code spec.stack}. */
  public String path() {
    return path;
  }
}
