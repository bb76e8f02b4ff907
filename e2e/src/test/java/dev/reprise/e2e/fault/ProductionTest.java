package dev.reprise.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.engine.ProductionTemporal;
import dev.reprise.e2e.fault.Experiment.Outcome;
import dev.reprise.e2e.world.World;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On the production server, whose four services and database are what clusters have. */
@Tag("engines")
class ProductionTest {

  @Test
  void theProductionServerKilledUnderLoadComesBackWithoutALoss() throws Exception {
    Path folder = Path.of("target/e2e/production").toAbsolutePath();
    try (World world = new World(folder, ProductionTemporal::new)) {
      Outcome outcome =
          Experiment.of("SIGKILL of Temporal's production server, back after 5 s", 4)
              .run(
                  world.place("production"),
                  random -> {
                    world.temporal().kill();
                    Pause.of(Duration.ofSeconds(5));
                    world.temporal().restart();
                  });

      assertThat(outcome.killed()).isZero();
      assertThat(outcome.seen()).isEqualTo(outcome.expected());
      assertThat(outcome.doubled()).isEmpty();
      assertThat(outcome.overlapping()).isEmpty();
      assertThat(outcome.lost()).isZero();
    }
  }
}
