package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract with other operators: bytes, by the field table, in both directions. */
final class WireTest {
  @TempDir Path folder;
  private final FakePulumi pulumi;

  WireTest(@TempDir Path fakeFolder) throws IOException {
    this.pulumi = new FakePulumi(fakeFolder);
  }

  private Agent agent() throws IOException, InterruptedException {
    Agent agent = Agent.start(folder, c -> c.withEnvironment(pulumi.environment()));
    FakePulumi.project(agent.workspace);
    return agent;
  }

  private static void select(Agent agent) throws IOException {
    Wire.call(agent.channel, "SelectStack", new Wire().text(1, "dev").flag(2));
  }

  private static Map<Integer, List<Object>> result(List<Map<Integer, List<Object>>> answers) {
    return Wire.message(answers.getLast(), 2);
  }

  @Test
  void whoAmIVersionSelectAndInfo() throws Exception {
    try (Agent agent = agent()) {
      var who = Wire.call(agent.channel, "WhoAmI", new Wire()).getFirst();
      assertThat(Wire.text(who, 1)).isEqualTo("ada");
      assertThat(Wire.text(who, 2)).isEqualTo("acme");
      assertThat(Wire.text(who, 3)).isEqualTo("https://api.example");

      var version = Wire.call(agent.channel, "PulumiVersion", new Wire()).getFirst();
      assertThat(Wire.text(version, 1)).isEqualTo("v3.274.1");

      Wire request = new Wire().text(1, "dev").flag(2).text(3, "passphrase");
      var selected = Wire.message(Wire.call(agent.channel, "SelectStack", request).getFirst(), 1);
      assertThat(Wire.text(selected, 1)).isEqualTo("dev");
      assertThat(pulumi.last("stack"))
          .contains("select", "dev", "--create", "--secrets-provider", "passphrase");

      var info = Wire.message(Wire.call(agent.channel, "Info", new Wire()).getFirst(), 1);
      assertThat(Wire.text(info, 1)).isEqualTo("dev");
      assertThat(Wire.number(Wire.message(info, 2), 1)).isEqualTo(1767323045);
      assertThat(info).doesNotContainKey(3);
      assertThat(Wire.number(info, 4)).isEqualTo(3);
      assertThat(Wire.text(info, 5)).isEqualTo("https://app.example/dev");
    }
  }

  @Test
  void configAndEnvironments() throws Exception {
    try (Agent agent = agent()) {
      select(agent);
      Wire plain = new Wire().text(1, "shop:size").message(3, new Wire().text(3, "large"));
      Wire secret =
          new Wire().text(1, "shop:db.pw").flag(2).flag(5).message(3, new Wire().text(3, "s3cret"));
      Wire fromEnv = new Wire().text(1, "shop:fake").message(4, new Wire().text(1, "FAKE"));
      Wire json = new Wire().text(1, "shop:map").message(4, new Wire().text(2, "map.json").flag(3));
      Files.writeString(agent.workspace.resolve("map.json"), "{\"a\": [1, true]}");

      Wire.call(
          agent.channel,
          "SetAllConfig",
          new Wire().message(1, plain).message(1, secret).message(1, fromEnv).message(1, json));
      Wire.call(agent.channel, "AddEnvironments", new Wire().text(1, "one").text(1, "two"));

      assertThat(pulumi.calls())
          .contains(
              List.of(
                  "config",
                  "set-all",
                  "--stack",
                  "dev",
                  "--plaintext",
                  "shop:size=large",
                  "--plaintext",
                  "shop:fake=" + pulumi.environment().get("FAKE")),
              List.of(
                  "config",
                  "set",
                  "--stack",
                  "dev",
                  "--path",
                  "--secret",
                  "--non-interactive",
                  "--",
                  "shop:db.pw"));
      assertThat(pulumi.stdin()).isEqualTo("s3cret\n");
      assertThat(pulumi.calls().toString())
          .doesNotContain("s3cret")
          .contains("--json", "\"objectValue\":{\"a\":[1,true]}");
      assertThat(pulumi.last("config")).startsWith("config", "env", "add", "one", "two");
    }
  }

  @Test
  void everyFieldOfAnUpReachesTheCliAndEveryFieldOfItsResultComesBack() throws Exception {
    try (Agent agent = agent()) {
      select(agent);
      pulumi.operation(
          """
          echo '{"sequence": 7, "resourcePreEvent": {"metadata": {"op": "create", "urn": "u"}}}' >> "$log"
          echo "updating"
          echo "View Live: https://app.example/1"
          echo "a warning" >&2
          """);
      Wire request =
          new Wire()
              .number(1, 4)
              .text(2, "why")
              .flag(3)
              .text(4, "urn:r")
              .text(5, "urn:t1")
              .text(5, "urn:t2")
              .flag(6)
              .message(8, new Wire().text(1, "pack"))
              .flag(9)
              .flag(10);

      var answers = Wire.call(agent.channel, "Up", request);

      assertThat(pulumi.last("up").subList(9, pulumi.last("up").size()))
          .isEqualTo(
              List.of(
                  "--skip-preview",
                  "--parallel",
                  "4",
                  "--message",
                  "why",
                  "--expect-no-changes",
                  "--replace",
                  "urn:r",
                  "--target",
                  "urn:t1",
                  "--target",
                  "urn:t2",
                  "--target-dependents",
                  "--policy-pack",
                  "pack",
                  "--refresh",
                  "--continue-on-error"));
      assertThat(answers).hasSize(2);
      var event = Wire.message(answers.getFirst(), 1);
      assertThat(event.get(1)).hasSize(2);
      var result = result(answers);
      assertThat(Wire.text(result, 1)).isEqualTo("updating\nView Live: https://app.example/1\n");
      assertThat(Wire.text(result, 2)).isEqualTo("a warning\n");
      var summary = Wire.message(result, 3);
      assertThat(Wire.number(Wire.message(summary, 1), 1)).isEqualTo(1767323045);
      assertThat(Wire.number(Wire.message(summary, 2), 1)).isEqualTo(1767323105);
      assertThat(Wire.text(summary, 3)).isEqualTo("succeeded");
      assertThat(Wire.text(summary, 4)).isEqualTo("told");
      assertThat(Wire.text(result, 4)).isEqualTo("https://app.example/1");
      assertThat(result.get(5)).hasSize(2);
      var first = Wire.message(result, 5);
      assertThat(Wire.text(first, 1)).isIn("pw", "url");
      assertThat(Wire.text(Wire.message(first, 2), 1)).isIn("\"hunter2\"", "\"http://x\"");
      var project = Wire.message(result, 6);
      assertThat(Wire.text(project, 1)).isEqualTo("shop");
      assertThat(Wire.text(project, 2)).isEqualTo("yaml");
    }
  }

  @Test
  void everyFieldOfAPreviewReachesTheCliAndItsResultHasNoSummary() throws Exception {
    try (Agent agent = agent()) {
      select(agent);
      Wire request =
          new Wire()
              .number(1, 2)
              .text(2, "m")
              .flag(3)
              .text(4, "r")
              .text(5, "t")
              .flag(6)
              .message(7, new Wire().text(1, "p"))
              .flag(8);

      var result = result(Wire.call(agent.channel, "Preview", request));

      assertThat(pulumi.last("preview"))
          .startsWith("preview", "--stack", "dev", "--non-interactive")
          .doesNotContain("--yes", "--skip-preview")
          .containsSequence("--parallel", "2", "--message", "m", "--expect-no-changes")
          .containsSequence("--replace", "r", "--target", "t", "--target-dependents")
          .containsSequence("--policy-pack", "p", "--refresh");
      assertThat(result).doesNotContainKey(3).containsKey(5);
    }
  }

  @Test
  void everyFieldOfARefreshReachesTheCli() throws Exception {
    try (Agent agent = agent()) {
      select(agent);
      Wire request = new Wire().number(1, 2).text(2, "m").flag(3).text(4, "t").flag(5);

      var result = result(Wire.call(agent.channel, "Refresh", request));

      assertThat(pulumi.last("refresh"))
          .contains("--yes", "--skip-preview")
          .containsSequence("--parallel", "2", "--message", "m", "--expect-no-changes")
          .containsSequence("--target", "t", "--run-program");
      assertThat(Wire.text(Wire.message(result, 3), 3)).isEqualTo("succeeded");
    }
  }

  @Test
  void everyFieldOfADestroyReachesTheCli() throws Exception {
    try (Agent agent = agent()) {
      select(agent);
      Wire request =
          new Wire().number(1, 2).text(2, "m").text(3, "t").flag(4).flag(5).flag(6).flag(7).flag(8);

      var result = result(Wire.call(agent.channel, "Destroy", request));

      assertThat(pulumi.last("destroy"))
          .contains("--yes", "--skip-preview")
          .containsSequence("--parallel", "2", "--message", "m", "--target", "t")
          .containsSequence("--target-dependents", "--refresh", "--continue-on-error")
          .containsSequence("--remove", "--run-program");
      assertThat(Wire.text(Wire.message(result, 3), 3)).isEqualTo("succeeded");
    }
  }
}
