package dev.reprise.cli.architecture.planted.watcher;

import dev.reprise.cli.architecture.planted.activities.PlantedActivity;

/** Breaks two rules: knows an activity; its package is not null-marked. */
public interface PlantedWatch {
  PlantedActivity activity();
}
