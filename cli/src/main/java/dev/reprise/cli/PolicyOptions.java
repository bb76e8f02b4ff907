package dev.reprise.cli;

import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.PolicyDefaults;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Operator-wide defaults of the settings that Stacks may have of their own. */
final class PolicyOptions {
  static final String VARIABLE = "REPRISE_DEFAULTS";

  @Option(
      names = "--default",
      paramLabel = "SETTING=NUMBER",
      description = {
        "The default of a Stack's setting, for example retry.failureLimit=5; may be repeated. Also"
            + " from environment variable "
            + VARIABLE
            + ", separated by commas. Worker and watcher need the same."
      })
  private Map<String, String> defaults = new LinkedHashMap<>();

  /**
   * The policy of Stacks that ask for nothing of their own.
   *
   * @throws UserProblem that tells of every mistake
   */
  Policy defaults(Map<String, String> environment) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String one : environment.getOrDefault(VARIABLE, "").split("[,\\s]+", -1)) {
      int equals = one.indexOf('=');
      if (!one.isEmpty()) {
        settings.put(
            equals < 0 ? one : one.substring(0, equals),
            equals < 0 ? "" : one.substring(equals + 1));
      }
    }
    settings.putAll(defaults);
    try {
      return PolicyDefaults.of(settings);
    } catch (PolicyDefaults.Invalid e) {
      throw new UserProblem("--default, or " + VARIABLE + ": " + e.getMessage(), e);
    }
  }
}
