package dev.reprise.agent.operation;

import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last operation's end as kept on disk: two length-delimited messages, mode 0600. */
record StoredResult(Operation operation, Result result) {
  private static final Logger log = LoggerFactory.getLogger(StoredResult.class);
  private static final String FILE = "result.pb";

  void save(Path stateDir) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    operation.writeDelimitedTo(bytes);
    result.writeDelimitedTo(bytes);
    Durable.replace(stateDir.resolve(FILE), bytes.toByteArray());
  }

  static Optional<StoredResult> load(Path stateDir) throws IOException {
    Path file = stateDir.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      Operation operation = Operation.parseDelimitedFrom(in);
      Result result = Result.parseDelimitedFrom(in);
      if (operation == null || result == null) {
        log.warn("{} is cut off and counts as absent", file);
        return Optional.empty();
      }
      return Optional.of(new StoredResult(operation, result));
    }
  }

  static void delete(Path stateDir) throws IOException {
    Files.deleteIfExists(stateDir.resolve(FILE));
  }
}
