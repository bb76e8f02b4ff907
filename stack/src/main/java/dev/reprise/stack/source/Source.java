package dev.reprise.stack.source;

import dev.reprise.stack.spec.FluxSource;
import dev.reprise.stack.spec.FluxSource.SourceRef;
import dev.reprise.stack.spec.GitAuth;
import dev.reprise.stack.spec.ResourceRef;
import dev.reprise.stack.spec.StackSpec;
import tools.jackson.databind.JsonNode;

/**
 * Where the program of a Stack comes from; {@code dir} is a folder within it, empty for its root.
 */
public sealed interface Source {
  /**
   * A git repository.
   *
   * @param ref a branch or tag, short or full, or a commit
   * @param auth references to credentials
   * @param authSecret name of a Secret in the older form, empty if none
   */
  record Git(String url, String ref, String dir, boolean shallow, GitAuth auth, String authSecret)
      implements Source {}

  /** A Flux source object in the Stack's namespace. */
  record Flux(SourceRef ref, String dir) implements Source {}

  /** An archive at a fixed address; its digest is its revision. */
  record Archive(String url, String digest, String dir) implements Source {}

  /** A Program object in the Stack's namespace. */
  record Program(String name) implements Source {}

  /** A directory that the workspace sees. */
  record Local(String dir) implements Source {}

  /** None given: the workspace brings its program along. Its revision is the empty text. */
  record None() implements Source {}

  /** The source of a spec, which the reader has made sure is at most one. */
  static Source of(StackSpec spec) {
    if (!spec.projectRepo().isEmpty()) {
      String ref = spec.commit().isEmpty() ? spec.branch() : spec.commit();
      return new Git(
          spec.projectRepo(),
          ref,
          spec.repoDir(),
          spec.shallow(),
          spec.gitAuth(),
          spec.gitAuthSecret());
    }
    if (!spec.fluxSource().equals(FluxSource.NONE)) {
      return new Flux(spec.fluxSource().sourceRef(), spec.fluxSource().dir());
    }
    if (!spec.programRef().name().isEmpty()) {
      return new Program(spec.programRef().name());
    }
    return ofWorkspace(spec.workspaceTemplate().path("spec"));
  }

  /**
   * Whether an equal revision of both means the same program: commits and digests tell a program
   * wherever they come from, the count of a Program's versions does so only within it.
   */
  default boolean comparableWith(Source other) {
    return !(this instanceof Program) || equals(other);
  }

  /**
   * Whether the same revision is to be expected of both, sooner or later: they point at the same
   * thing, if in other folders of it. Two sources of which this is not true may still show the same
   * revision by chance, as two branches do.
   */
  default boolean movesWith(Source other) {
    return switch (this) {
      case Git git ->
          other instanceof Git others
              && GitUrl.same(git.url(), others.url())
              && git.ref().equals(others.ref());
      case Flux flux -> other instanceof Flux others && flux.ref().equals(others.ref());
      case Archive archive ->
          other instanceof Archive others && archive.digest().equals(others.digest());
      case Program program -> program.equals(other);
      case Local local -> local.equals(other);
      case None none -> none.equals(other);
    };
  }

  private static Source ofWorkspace(JsonNode workspace) {
    JsonNode git = workspace.path("git");
    JsonNode flux = workspace.path("flux");
    JsonNode local = workspace.path("local");
    if (git.isObject()) {
      boolean shallow = git.path("shallow").asBoolean(false);
      GitAuth auth = workspaceAuth(git.path("auth"));
      return new Git(text(git, "url"), text(git, "ref"), text(git, "dir"), shallow, auth, "");
    }
    if (flux.isObject()) {
      return new Archive(text(flux, "url"), text(flux, "digest"), text(flux, "dir"));
    }
    return local.isObject() ? new Local(text(local, "dir")) : new None();
  }

  private static GitAuth workspaceAuth(JsonNode auth) {
    JsonNode app = auth.path("githubApp");
    return new GitAuth(
        new GitAuth.SshAuth(key(auth, "sshPrivateKey"), ResourceRef.NONE),
        key(auth, "token"),
        new GitAuth.GitHubApp(
            key(app, "appID"), key(app, "installationID"), key(app, "privateKey")),
        new GitAuth.BasicAuth(key(auth, "username"), key(auth, "password")));
  }

  private static ResourceRef key(JsonNode parent, String field) {
    JsonNode selector = parent.path(field);
    return selector.isObject()
        ? new ResourceRef.SecretKey("", text(selector, "name"), text(selector, "key"))
        : ResourceRef.NONE;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asString("");
  }
}
