package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** The Pulumi project last run, enough to destroy its stack without the source. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ProjectInfo(String name, String runtime) {
  /** No project known. */
  public static final ProjectInfo NONE = new ProjectInfo("", "");

  public ProjectInfo {
    name = Absent.text(name);
    runtime = Absent.text(runtime);
  }
}
