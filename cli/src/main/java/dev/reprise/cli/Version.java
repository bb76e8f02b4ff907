package dev.reprise.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "reprise " + text().orElse("(development)"),
      "Java " + Runtime.version() + ", " + System.getProperty("os.arch")
    };
  }

  /** The version; empty for classes that come from no jar. */
  static Optional<String> text() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion());
  }
}
