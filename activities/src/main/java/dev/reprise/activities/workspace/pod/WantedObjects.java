package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.workspace.AgentLauncher;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.activities.workspace.pod.ProgramResolver.MovedOn;
import dev.reprise.activities.workspace.pod.WorkspaceObjects.Ingredients;
import dev.reprise.stack.source.InputsDigest;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.StackRef;
import java.security.Key;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a request asks for, as objects. */
final class WantedObjects {
  private static final Logger LOG = LoggerFactory.getLogger(WantedObjects.class);

  private final ProgramResolver programs;
  private final PodSettings settings;
  private final String keyId;
  private final Key key;

  WantedObjects(ProgramResolver programs, PodSettings settings, String keyId, Key key) {
    this.programs = programs;
    this.settings = settings;
    this.keyId = keyId;
    this.key = key;
  }

  /**
   * The choice of a request.
   *
   * @param make what is made where there is nothing that will do
   * @param others what will do as well if it is there already
   * @param inputsDigest of the configuration and secrets
   */
  record Choice(WorkspaceObjects make, List<WorkspaceObjects> others, String inputsDigest) {

    /** Whether what is there will do. */
    boolean includes(SetState set) {
      boolean sameObjects =
          make.revisionHash().equals(set.hash())
              || others.stream().anyMatch(other -> other.revisionHash().equals(set.hash()));
      boolean sameInputs =
          inputsDigest.equals(set.inputsDigest())
              || !InputsDigest.comparable(inputsDigest, set.inputsDigest());
      return sameObjects && sameInputs;
    }
  }

  Choice of(WorkspaceRequest request) throws SpecInvalid, SourceUnavailable, InputMissing, MovedOn {
    return switch (request.purpose()) {
      case Purpose.Operation operation -> {
        Program program = resolve(request, request.revision());
        yield choice(request, objects(request, program, request.revision(), false), List.of());
      }
      case Purpose.Deletion deletion -> destroy(request, deletion);
    };
  }

  /**
   * A destroy needs no program unless the Stack says so. What was made for the last operation has
   * all it needs, so that it is taken as it is.
   */
  private Choice destroy(WorkspaceRequest request, Purpose.Deletion deletion)
      throws SpecInvalid, SourceUnavailable, InputMissing, MovedOn {
    ProjectInfo project = deletion.project();
    String revision = deletion.lastRevision();
    if (project.equals(ProjectInfo.NONE) || request.spec().runsProgram()) {
      Program program = resolve(request, revision);
      return choice(
          request,
          objects(request, program, revision, true),
          List.of(objects(request, program, revision, false)));
    }
    List<WorkspaceObjects> others = new ArrayList<>();
    try {
      others.add(objects(request, resolve(request, revision), revision, false));
    } catch (SourceUnavailable | InputMissing | MovedOn e) {
      LOG.debug("{} is destroyed without its source: {}", request.stack(), e.getMessage());
    }
    Program bare = new Program.Bare(project.name(), project.runtime());
    return choice(request, objects(request, bare, "", true), others);
  }

  private Program resolve(WorkspaceRequest request, String revision)
      throws SourceUnavailable, InputMissing, MovedOn {
    Source source = Source.of(request.spec());
    return programs.resolve(source, revision, request.stack().namespace());
  }

  private Choice choice(
      WorkspaceRequest request, WorkspaceObjects make, List<WorkspaceObjects> others) {
    return new Choice(make, others, digest(request));
  }

  private WorkspaceObjects objects(
      WorkspaceRequest request, Program program, String revision, boolean optionalRefs)
      throws SpecInvalid {
    StackRef stack = request.stack();
    String masked = request.environment().getOrDefault(AgentLauncher.SECRETS_VARIABLE, "");
    return WorkspaceObjects.of(
        new Ingredients(
            stack, request.spec(), program, revision, optionalRefs, masked, digest(request)),
        settings);
  }

  private String digest(WorkspaceRequest request) {
    return InputsDigest.of(keyId, key, request.inputs());
  }
}
