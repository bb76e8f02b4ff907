package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * Program code from a Flux source object in the Stack's namespace; {@code dir} is a folder within
 * its artifact.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FluxSource(SourceRef sourceRef, String dir) {
  /** No Flux source. */
  public static final FluxSource NONE = new FluxSource(new SourceRef("", "", ""), "");

  public FluxSource {
    sourceRef = Absent.or(sourceRef, new SourceRef("", "", ""));
    dir = Absent.text(dir);
  }

  /** Names the Flux object. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record SourceRef(String apiVersion, String kind, String name) {
    public SourceRef {
      apiVersion = Absent.text(apiVersion);
      kind = Absent.text(kind);
      name = Absent.text(name);
    }
  }
}
