package dev.reprise.cli;

import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "reprise " + (version == null ? "(development)" : version),
      "Java " + Runtime.version() + ", " + System.getProperty("os.arch")
    };
  }
}
