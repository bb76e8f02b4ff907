package dev.reprise.workflows.determinism.planted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Breaks each rule once, to prove that the check can fail. Never run. */
public final class PlantedWorkflow {
  static int runs;

  private PlantedWorkflow() {}

  static String breakEveryRule(Map<String, String> unordered) throws InterruptedException {
    runs++;
    Thread.sleep(1);
    CompletableFuture<String> elsewhere = CompletableFuture.supplyAsync(() -> "done");
    return Instant.now()
        + System.getenv("HOME")
        + System.nanoTime()
        + UUID.randomUUID()
        + Files.exists(Path.of("/"))
        + unordered.keySet()
        + elsewhere.join();
  }
}
