package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.reprise.agent.operation.OperationException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sets configuration by the CLI. Plain values go in one call; a secret is piped in by a call of its
 * own, since arguments can be read by anyone who can list processes; maps and lists need the JSON
 * form, whose only way in is an argument.
 */
final class PulumiConfig {
  private static final Pattern VERSION = Pattern.compile("^v?(\\d+)\\.(\\d+)\\.");
  private static final int JSON_MAJOR = 3;
  private static final int JSON_MINOR = 202;

  private final PulumiCli cli;
  private final String stack;
  private final Masker masker;

  PulumiConfig(PulumiCli cli, String stack, Masker masker) {
    this.cli = cli;
    this.stack = stack;
    this.masker = masker;
  }

  void set(List<ConfigEntry> entries) throws OperationException, InterruptedException {
    List<ConfigEntry> structured =
        entries.stream().filter(entry -> entry.value().isContainerNode()).toList();
    if (!structured.isEmpty()) {
      structured(structured);
    }
    plain(entries, false);
    plain(entries, true);
    for (ConfigEntry entry : entries) {
      if (entry.secret() && !entry.value().isContainerNode()) {
        secret(entry);
      }
    }
  }

  private void plain(List<ConfigEntry> entries, boolean path)
      throws OperationException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("config", "set-all", "--stack", stack));
    if (path) {
      arguments.add("--path");
    }
    int before = arguments.size();
    for (ConfigEntry entry : entries) {
      if (!entry.secret() && entry.path() == path && !entry.value().isContainerNode()) {
        arguments.add("--plaintext");
        arguments.add(entry.key() + "=" + entry.value().asText());
      }
    }
    if (arguments.size() > before) {
      run(arguments, "");
    }
  }

  private void secret(ConfigEntry entry) throws OperationException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("config", "set", "--stack", stack));
    if (entry.path()) {
      arguments.add("--path");
    }
    arguments.addAll(List.of("--secret", "--non-interactive", "--", entry.key()));
    // The CLI takes one line end off what it reads.
    run(arguments, entry.value().asText() + "\n");
  }

  private void structured(List<ConfigEntry> entries)
      throws OperationException, InterruptedException {
    String version = cli.run(List.of("version"), "", Masker.NONE).stdout().strip();
    if (!takesJson(version)) {
      throw OperationException.of(
          Status.Code.INVALID_ARGUMENT,
          "config key \""
              + entries.getFirst().key()
              + "\" is a map or list, which needs Pulumi CLI 3.202.0 or later; this is "
              + version);
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    for (ConfigEntry entry : entries) {
      if (entry.path()) {
        throw OperationException.of(
            Status.Code.INVALID_ARGUMENT,
            "config path \"" + entry.key() + "\" cannot be set to a map or list");
      }
      ObjectNode item = all.putObject(entry.key());
      item.put("value", entry.value().toString());
      item.set("objectValue", entry.value());
      item.put("secret", entry.secret());
    }
    run(List.of("config", "set-all", "--stack", stack, "--json", all.toString()), "");
  }

  private void run(List<String> arguments, String input)
      throws OperationException, InterruptedException {
    PulumiCli.Ended ended = cli.run(arguments, input, masker);
    if (ended.exitCode() != 0) {
      throw ended
          .output()
          .failure(Status.Code.INVALID_ARGUMENT, "setting the config", ended.exitCode());
    }
  }

  static boolean takesJson(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.find()) {
      return false;
    }
    MatchResult found = matcher.toMatchResult();
    int major = Integer.parseInt(Objects.requireNonNull(found.group(1)));
    int minor = Integer.parseInt(Objects.requireNonNull(found.group(2)));
    return major > JSON_MAJOR || (major == JSON_MAJOR && minor >= JSON_MINOR);
  }
}
