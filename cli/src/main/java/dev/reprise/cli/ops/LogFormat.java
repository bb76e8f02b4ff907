package dev.reprise.cli.ops;

/** How a log line looks. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object for each line, for machines. */
  JSON
}
