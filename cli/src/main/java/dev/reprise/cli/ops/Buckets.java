package dev.reprise.cli.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of histograms. The SDK asks for Micrometer's, which are 70 and end at 30 seconds; an
 * operation may take hours, and few buckets tell as much.
 */
final class Buckets implements MeterFilter {
  private static final double[] OPERATION =
      nanos(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1));

  private static final double[] CALL =
      nanos(
          Duration.ofMillis(10),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10));

  private static double[] nanos(Duration... limits) {
    return Stream.of(limits).mapToDouble(Duration::toNanos).toArray();
  }

  @Override
  public @Nullable DistributionStatisticConfig configure(
      Meter.Id id, DistributionStatisticConfig config) {
    if (id.getType() != Meter.Type.TIMER) {
      return config;
    }
    boolean operation = id.getName().equals("reprise_operation_duration");
    if (!operation && !id.getName().startsWith("temporal_")) {
      return config;
    }
    return DistributionStatisticConfig.builder()
        .percentilesHistogram(false)
        .serviceLevelObjectives(operation ? OPERATION : CALL)
        .build()
        .merge(config);
  }
}
