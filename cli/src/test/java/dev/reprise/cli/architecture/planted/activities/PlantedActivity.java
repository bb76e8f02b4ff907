package dev.reprise.cli.architecture.planted.activities;

import dev.reprise.cli.architecture.planted.watcher.PlantedWatch;

/** Breaks three rules: knows the watcher, which knows it; a static field; standard output. */
public final class PlantedActivity {
  static int calls;

  private final PlantedWatch watch;

  PlantedActivity(PlantedWatch watch) {
    this.watch = watch;
  }

  void run() {
    calls++;
    System.out.println(watch);
  }
}
