package dev.reprise.watcher;

import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;

/** Follows the references of a git source to its credentials. */
@FunctionalInterface
public interface GitCredentialLookup {
  /**
   * The credentials, with limits on every call that it takes to find them.
   *
   * @param namespace the Stack's
   * @throws SourceUnavailable when a Secret or one of its keys cannot be read
   */
  GitCredentials find(String namespace, Source.Git source) throws SourceUnavailable;
}
