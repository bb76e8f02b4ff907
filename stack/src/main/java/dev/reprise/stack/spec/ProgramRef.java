package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** Program code from a Program object in the Stack's namespace. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ProgramRef(String name) {
  /** No Program. */
  public static final ProgramRef NONE = new ProgramRef("");

  public ProgramRef {
    name = Absent.text(name);
  }
}
