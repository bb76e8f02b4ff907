package dev.reprise.activities.workspace;

import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import java.nio.file.Files;
import java.nio.file.Path;

/** Brings a Stack's program into a folder. */
@FunctionalInterface
public interface SourceFetcher {

  /** Uses folders of this machine in place, and nothing else. */
  SourceFetcher LOCAL = (source, revision, into) -> local(source);

  /**
   * The folder with the program.
   *
   * @param source where the program comes from
   * @param revision which one; "" = keep what is there, as a destroy asks for no source
   * @param into a folder for copies; what is there already may be reused
   * @throws SourceUnavailable when the source does not answer; asked again later
   * @throws Refused when somebody has to change something
   */
  Path fetch(Source source, String revision, Path into) throws SourceUnavailable, Refused;

  /** A source that is no use as it is. The message names the field and the fix. */
  final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    /** With the field and the fix. */
    public Refused(String message) {
      super(message);
    }
  }

  private static Path local(Source source) throws Refused {
    if (!(source instanceof Source.Local given)) {
      throw new Refused(
          "local workspaces run programs from a folder only: name one in"
              + " spec.workspaceTemplate.spec.local.dir");
    }
    Path folder = Path.of(given.dir());
    if (!folder.isAbsolute() || !Files.isDirectory(folder)) {
      throw new Refused(
          "spec.workspaceTemplate.spec.local.dir: %s is no folder on this machine: create it, or correct the path"
              .formatted(folder));
    }
    return folder;
  }
}
