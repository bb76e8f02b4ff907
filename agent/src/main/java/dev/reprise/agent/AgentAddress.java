package dev.reprise.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.reprise.agent.operation.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Where an agent listens, as it writes it to {@code agent.json} in its state folder while it does:
 * {@code {"host": "127.0.0.1", "port": 41999, "pid": 4711, "startTime": "2026-01-02T03:04:05Z"}}.
 * The file appears whole, has mode 0600, and is gone after an orderly end; after a SIGKILL it stays
 * and {@link #alive} tells.
 *
 * @param host as configured
 * @param port the real one, also if 0 was configured
 * @param pid the agent's process number
 * @param startTime the start of the agent's process, ISO 8601 in UTC
 */
public record AgentAddress(String host, int port, long pid, String startTime) {
  /** The file's name in the state folder. */
  public static final String FILE = "agent.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  static AgentAddress current(String host, int port) {
    ProcessHandle self = ProcessHandle.current();
    return new AgentAddress(host, port, self.pid(), startTime(self));
  }

  /**
   * Reads the file of a state folder.
   *
   * @return empty if there is none
   * @throws IOException if it is there and not readable as such
   */
  public static Optional<AgentAddress> read(Path stateDir) throws IOException {
    Path file = stateDir.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), AgentAddress.class));
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is not an agent's address: " + e.getOriginalMessage(), e);
    }
  }

  /** Whether the process that wrote this still exists. */
  public boolean alive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(handle -> startTime(handle).equals(startTime))
        .isPresent();
  }

  void write(Path stateDir) throws IOException {
    Durable.replace(stateDir.resolve(FILE), JSON.writeValueAsBytes(this));
  }

  private static String startTime(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("");
  }
}
