package dev.reprise.dev.manifest;

import java.nio.file.Path;

/**
 * Something a person should know about a manifest.
 *
 * @param file the file
 * @param line from 1; 0 when unknown
 * @param column from 1; 0 when unknown
 * @param message what is wrong and what to do, in one line
 * @param severity whether the object was left out
 */
public record ManifestProblem(Path file, int line, int column, String message, Severity severity) {
  /** How bad it is. */
  public enum Severity {
    /** The object was not applied. */
    ERROR,
    /** The object was applied, but not all of it. */
    WARNING
  }

  static ManifestProblem error(Path file, int line, int column, String message) {
    return new ManifestProblem(file, line, column, oneLine(message), Severity.ERROR);
  }

  static ManifestProblem error(Manifest manifest, String message) {
    return error(manifest.file(), manifest.line(), 0, manifest.title() + ": " + message);
  }

  static ManifestProblem warning(Manifest manifest, String message) {
    return new ManifestProblem(
        manifest.file(),
        manifest.line(),
        0,
        oneLine(manifest.title() + ": " + message),
        Severity.WARNING);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }

  /** The problem in one line, such as {@code stacks.yaml:3:7: mapping values are not allowed}. */
  public String text() {
    String where = file.getFileName() + (line > 0 ? ":" + line : "");
    return where + (column > 0 ? ":" + column : "") + ": " + message;
  }
}
