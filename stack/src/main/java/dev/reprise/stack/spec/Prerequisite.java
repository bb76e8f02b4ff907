package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;

/** Another Stack of the same namespace that has to have succeeded first. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Prerequisite(String name, Requirement requirement) {
  public Prerequisite {
    name = Absent.text(name);
    requirement = Absent.or(requirement, Requirement.NONE);
  }

  /**
   * What is asked of it beyond its success.
   *
   * @param succeededWithinDuration how old that success may be, as Go writes durations ("1h30m");
   *     empty: any age
   * @param sameRevision whether it must have succeeded at the revision this Stack is about to run
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Requirement(String succeededWithinDuration, Boolean sameRevision) {
    static final Requirement NONE = new Requirement("", false);

    public Requirement {
      succeededWithinDuration = Absent.text(succeededWithinDuration);
      sameRevision = Absent.or(sameRevision, false);
    }

    /** How old the success may be; zero: any age. The reader has refused what cannot be parsed. */
    public Duration succeededWithin() {
      return GoDuration.parse(succeededWithinDuration).orElse(Duration.ZERO);
    }
  }
}
