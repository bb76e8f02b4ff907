package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.GitAuth;

/** The very version of a program that a pod is to hold; {@code dir} is a folder within it. */
sealed interface Program {

  /**
   * A commit of a git repository.
   *
   * @param commit its hash
   * @param auth references to credentials
   * @param authSecret name of a Secret in the older form; "" = none
   */
  record Git(
      String url, String commit, String dir, boolean shallow, GitAuth auth, String authSecret)
      implements Program {}

  /**
   * A Pulumi YAML program that is kept in the cluster.
   *
   * @param project the text of its Pulumi.yaml; JSON, which YAML includes
   */
  record Text(String project) implements Program {}

  /** An archive that a Flux source offers. */
  record Archive(String url, String digest, String dir) implements Program {}

  /** A folder that the pod has of its own accord, from its image or a volume. */
  record Local(String dir) implements Program {}

  /** A project without a program: enough to destroy what its stack records. */
  record Bare(String project, String runtime) implements Program {}

  /** The user's pod template brings {@code /share/workspace} along. */
  record Own() implements Program {}
}
