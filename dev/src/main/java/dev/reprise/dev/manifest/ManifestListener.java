package dev.reprise.dev.manifest;

/** Hears what {@link ManifestFolder} does, one call at a time. */
public interface ManifestListener {
  /** A new or edited object is in the cluster. */
  void applied(Manifest manifest);

  /** An object is no longer in the folder and was deleted from the cluster. */
  void removed(Manifest manifest);

  /** A new problem; it is not told again while it lasts. */
  void problem(ManifestProblem problem);
}
