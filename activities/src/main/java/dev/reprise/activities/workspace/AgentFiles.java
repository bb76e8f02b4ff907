package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.Endpoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is on disk about one agent, so that any worker finds it again: {@code agent.json} written by
 * the agent, and beside it the token and who started what, readable by the owner only.
 */
final class AgentFiles {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** What is shown in a message of the Stack's status. */
  private static final int LOG_TAIL = 1_024;

  private final Path stateDir;

  AgentFiles(Path stateDir) {
    this.stateDir = stateDir;
  }

  /** A process by number and start time, since numbers are used again. */
  record ProcessRef(long pid, String startTime) {
    static final ProcessRef NONE = new ProcessRef(0, "");

    static ProcessRef of(ProcessHandle process) {
      return new ProcessRef(process.pid(), startTime(process));
    }

    Optional<ProcessHandle> alive() {
      return pid == 0
          ? Optional.empty()
          : ProcessHandle.of(pid)
              .filter(ProcessHandle::isAlive)
              .filter(process -> startTime(process).equals(startTime));
    }

    private static String startTime(ProcessHandle process) {
      return process.info().startInstant().map(Object::toString).orElse("");
    }
  }

  /**
   * What was started.
   *
   * @param process its process
   * @param fingerprint a digest of its command line and environment
   * @param listened whether it has been seen to listen; its own file is gone after an orderly end
   */
  record Launch(ProcessRef process, String fingerprint, boolean listened) {
    static final Launch NONE = new Launch(ProcessRef.NONE, "", false);
  }

  Path stateDir() {
    return stateDir;
  }

  Path log() {
    return stateDir.resolve("agent.log");
  }

  /** Where the agent listens; empty when no living process stands behind the file. */
  Optional<Endpoint> endpoint() {
    JsonNode agent = read("agent.json");
    String host = agent.path("host").asString("");
    int port = agent.path("port").asInt(0);
    String token = text("token");
    return host.isEmpty() || port == 0 || token.isEmpty() || process().alive().isEmpty()
        ? Optional.empty()
        : Optional.of(new Endpoint(host, port, token));
  }

  /** The process that says it listens. */
  ProcessRef process() {
    return process(read("agent.json"));
  }

  Launch launch() {
    JsonNode launch = read("launch.json");
    return new Launch(
        process(launch),
        launch.path("fingerprint").asString(""),
        launch.path("listened").asBoolean(false));
  }

  void launched(Launch launch) throws IOException {
    write(
        "launch.json",
        JSON.createObjectNode()
            .put("pid", launch.process().pid())
            .put("startTime", launch.process().startTime())
            .put("fingerprint", launch.fingerprint())
            .put("listened", launch.listened())
            .toString());
  }

  /** Notes that what was launched listens. */
  void listening() throws IOException {
    Launch launch = launch();
    if (!launch.listened() && launch.process().alive().isPresent()) {
      launched(new Launch(launch.process(), launch.fingerprint(), true));
    }
  }

  void token(String token) throws IOException {
    write("token", token);
  }

  /** Forgets the last agent, so that its address is not taken for the next one's. */
  void forget() throws IOException {
    Files.deleteIfExists(stateDir.resolve("agent.json"));
    Files.deleteIfExists(stateDir.resolve("launch.json"));
  }

  /** The last lines of the agent's log, of at most 1 KiB. */
  String logTail() {
    try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(LOG_TAIL, file.length())];
      file.seek(file.length() - bytes.length);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private void write(String name, String content) throws IOException {
    PrivateFile.write(stateDir.resolve(name), content);
  }

  private static ProcessRef process(JsonNode node) {
    return new ProcessRef(node.path("pid").asLong(0), node.path("startTime").asString(""));
  }

  /** A file that is missing, or half written by somebody else, tells nothing. */
  private JsonNode read(String name) {
    try {
      String text = text(name);
      return text.isEmpty() ? JSON.missingNode() : JSON.readTree(text);
    } catch (JacksonException e) {
      return JSON.missingNode();
    }
  }

  private String text(String name) {
    try {
      return Files.readString(stateDir.resolve(name)).strip();
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
