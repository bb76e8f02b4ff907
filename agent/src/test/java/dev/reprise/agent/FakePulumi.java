package dev.reprise.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A shell script in the place of the Pulumi CLI: it records the arguments and the standard input of
 * each call and answers as the real one is documented to.
 */
final class FakePulumi {
  private static final String SCRIPT =
      """
      for word in "$@"; do printf '%s\\037' "$word"; done >> "$FAKE/calls"
      echo >> "$FAKE/calls"
      cat >> "$FAKE/stdin"
      while [ "$#" -gt 0 ]; do
        case "$1" in
          --event-log) log=$2; shift;;
          --show-secrets) show=yes;;
          -*) ;;
          *) words="$words $1";;
        esac
        shift
      done
      case "$words" in
        " version") cat "$FAKE/version";;
        " whoami") echo '{"user": "ada", "organizations": ["acme"], "url": "https://api.example"}';;
        " stack ls") echo '[{"name": "other", "current": false}, {"name": "dev", "current": true,
          "lastUpdate": "2026-01-02T03:04:05.000Z", "updateInProgress": false, "resourceCount": 3,
          "url": "https://app.example/dev"}]';;
        " stack select "*)
          case "$words" in *gone*) echo "error: no stack named 'gone' found" >&2; exit 255;; esac;;
        " stack history "*) echo '[{"kind": "update", "startTime": "2026-01-02T03:04:05.000Z",
          "endTime": "2026-01-02T03:05:05.000Z", "result": "succeeded", "message": "told"}]';;
        " stack output "*)
          if [ "$show" ]; then echo '{"url": "http://x", "pw": "hunter2"}'
          else echo '{"url": "http://x", "pw": "[secret]"}'; fi;;
        " cancel "*) touch "$FAKE/cancelled";;
        " install") if [ -e "$FAKE/install-fails" ]; then echo boom >&2; exit 1; fi;;
        " up "*|" preview "*|" refresh "*|" destroy "*)
          [ "$PULUMI_DEBUG_COMMANDS" = true ] || exit 99
          . "$FAKE/operation";;
      esac
      """;

  private final Path folder;

  FakePulumi(Path parent) throws IOException {
    this.folder = Files.createDirectories(parent.resolve("fake"));
    Agent.program(folder, "pulumi", SCRIPT);
    Files.writeString(folder.resolve("version"), "v3.274.1\n");
    Files.writeString(folder.resolve("calls"), "");
    Files.writeString(folder.resolve("stdin"), "");
    operation("true");
  }

  /** What up, preview, refresh and destroy do; {@code $log} is the event log. */
  void operation(String script) throws IOException {
    Files.writeString(folder.resolve("operation"), script + "\n");
  }

  void version(String version) throws IOException {
    Files.writeString(folder.resolve("version"), version + "\n");
  }

  void failInstalls() throws IOException {
    Files.writeString(folder.resolve("install-fails"), "");
  }

  Map<String, String> environment() {
    return Map.of("PATH", folder + ":" + System.getenv("PATH"), "FAKE", folder.toString());
  }

  /** The arguments of the calls so far. */
  List<List<String>> calls() throws IOException {
    List<List<String>> calls = new ArrayList<>();
    for (String line : Files.readString(folder.resolve("calls")).split("\037\n", -1)) {
      if (!line.isEmpty()) {
        calls.add(List.of(line.split("\037", -1)));
      }
    }
    return calls;
  }

  /** The arguments of the last call that begins with this word. */
  List<String> last(String word) throws IOException {
    return calls().reversed().stream()
        .filter(c -> c.getFirst().equals(word))
        .findFirst()
        .orElseThrow();
  }

  String stdin() throws IOException {
    return Files.readString(folder.resolve("stdin"));
  }

  static void project(Path workspace) throws IOException {
    Files.writeString(
        workspace.resolve("Pulumi.yaml"), "name: shop\nruntime:\n  name: yaml\n  options: {}\n");
  }
}
