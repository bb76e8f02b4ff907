package dev.reprise.agent.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of variables, one {@code NAME=value} a line. Empty lines and lines that begin with {@code
 * #} are skipped, {@code export} before a name is taken off. A value may stand in single quotes (as
 * it is) or in double quotes ({@code \n}, {@code \"} and {@code \\} are read); without quotes it
 * ends before {@code " #"}. A value in quotes ends on its line.
 */
record EnvFile(Map<String, String> variables) {
  private static final Pattern LINE =
      Pattern.compile("(?:export\\s+)?([A-Za-z_][A-Za-z0-9_.]*)\\s*=\\s*(.*)");
  private static final Pattern DOUBLE = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"\\s*(?:#.*)?");
  private static final Pattern SINGLE = Pattern.compile("'([^']*)'\\s*(?:#.*)?");
  private static final Pattern COMMENT = Pattern.compile("\\s+#.*$");

  EnvFile {
    variables = Map.copyOf(variables);
  }

  /**
   * Reads a file; one that does not exist holds nothing.
   *
   * @throws IOException if a line cannot be read as such; the message names it without its value
   */
  static EnvFile read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new EnvFile(Map.of());
    }
    List<String> lines = Files.readAllLines(file);
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new IOException(file + ", line " + (i + 1) + ": write NAME=value");
      }
      variables.put(group(parts, 1), value(group(parts, 2), file, i + 1));
    }
    return new EnvFile(variables);
  }

  private static String value(String text, Path file, int line) throws IOException {
    if (text.startsWith("\"") || text.startsWith("'")) {
      boolean escapes = text.startsWith("\"");
      Matcher quoted = (escapes ? DOUBLE : SINGLE).matcher(text);
      if (!quoted.matches()) {
        throw new IOException(file + ", line " + line + ": the quotes around the value are open");
      }
      return escapes ? unescaped(group(quoted, 1)) : group(quoted, 1);
    }
    return COMMENT.matcher(text).replaceFirst("").strip();
  }

  private static String unescaped(String text) {
    return Pattern.compile("\\\\(.)")
        .matcher(text)
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(
                    switch (String.valueOf(escape.group(1))) {
                      case "n" -> "\n";
                      case "r" -> "\r";
                      case "t" -> "\t";
                      case String other -> other;
                    }));
  }

  private static String group(Matcher matcher, int number) {
    return String.valueOf(matcher.group(number));
  }

  /** Without the values. */
  @Override
  public String toString() {
    return "EnvFile" + variables.keySet();
  }
}
