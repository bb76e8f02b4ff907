package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The spec of a Stack under the field names of {@code pulumi.com/v1}, and Reprise's additions
 * {@code retry} and {@code operation}. What a manifest leaves out is empty ("" , an empty list or
 * map, a NONE), false, an empty JSON object or {@link #UNSET}.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StackSpec(
    String stack,
    String backend,
    String accessTokenSecret,
    String secretsProvider,
    String serviceAccountName,
    Boolean useLocalStackOnly,
    JsonNode config,
    Map<String, ConfigRef> configRef,
    Map<String, String> secrets,
    Map<String, ResourceRef> secretsRef,
    Map<String, ResourceRef> envRefs,
    List<String> envs,
    List<String> envSecrets,
    List<String> environment,
    String projectRepo,
    String branch,
    String commit,
    String repoDir,
    Boolean shallow,
    String gitAuthSecret,
    GitAuth gitAuth,
    FluxSource fluxSource,
    ProgramRef programRef,
    List<Prerequisite> prerequisites,
    Boolean preview,
    Boolean refresh,
    Boolean runProgram,
    Boolean destroyOnFinalize,
    Boolean expectNoRefreshChanges,
    List<String> targets,
    Boolean targetDependents,
    Boolean continueResyncOnCommitMatch,
    Long resyncFrequencySeconds,
    Long retryMaxBackoffDurationSeconds,
    Boolean retryOnUpdateConflict,
    ReclaimPolicy workspaceReclaimPolicy,
    JsonNode workspaceTemplate,
    JsonNode updateTemplate,
    RetrySpec retry,
    OperationSpec operation) {
  /** Stands for a number that the manifest does not give. */
  public static final long UNSET = Long.MIN_VALUE;

  public StackSpec {
    stack = Absent.text(stack);
    backend = Absent.text(backend);
    accessTokenSecret = Absent.text(accessTokenSecret);
    secretsProvider = Absent.text(secretsProvider);
    serviceAccountName = Absent.text(serviceAccountName);
    useLocalStackOnly = Absent.or(useLocalStackOnly, false);
    config = objectOr(config);
    configRef = Absent.map(configRef);
    secrets = Absent.map(secrets);
    secretsRef = Absent.map(secretsRef);
    envRefs = Absent.map(envRefs);
    envs = Absent.list(envs);
    envSecrets = Absent.list(envSecrets);
    environment = Absent.list(environment);
    projectRepo = Absent.text(projectRepo);
    branch = Absent.text(branch);
    commit = Absent.text(commit);
    repoDir = Absent.text(repoDir);
    shallow = Absent.or(shallow, false);
    gitAuthSecret = Absent.text(gitAuthSecret);
    gitAuth = Absent.or(gitAuth, GitAuth.NONE);
    fluxSource = Absent.or(fluxSource, FluxSource.NONE);
    programRef = Absent.or(programRef, ProgramRef.NONE);
    prerequisites = Absent.list(prerequisites);
    preview = Absent.or(preview, false);
    refresh = Absent.or(refresh, false);
    runProgram = Absent.or(runProgram, false);
    destroyOnFinalize = Absent.or(destroyOnFinalize, false);
    expectNoRefreshChanges = Absent.or(expectNoRefreshChanges, false);
    targets = Absent.list(targets);
    targetDependents = Absent.or(targetDependents, false);
    continueResyncOnCommitMatch = Absent.or(continueResyncOnCommitMatch, false);
    resyncFrequencySeconds = Absent.or(resyncFrequencySeconds, UNSET);
    retryMaxBackoffDurationSeconds = Absent.or(retryMaxBackoffDurationSeconds, UNSET);
    retryOnUpdateConflict = Absent.or(retryOnUpdateConflict, false);
    workspaceReclaimPolicy = Absent.or(workspaceReclaimPolicy, ReclaimPolicy.RETAIN);
    workspaceTemplate = objectOr(workspaceTemplate);
    updateTemplate = objectOr(updateTemplate);
    retry = Absent.or(retry, RetrySpec.NONE);
    operation = Absent.or(operation, OperationSpec.NONE);
  }

  /** Whether a refresh or destroy runs the program, wherever the Stack says so. */
  public boolean runsProgram() {
    return updateTemplate.path("spec").path("runProgram").asBoolean(runProgram);
  }

  /** Names the Pulumi stack only: a spec holds values that may be secret. */
  @Override
  public String toString() {
    return "StackSpec[" + stack + "]";
  }

  private static JsonNode objectOr(JsonNode node) {
    JsonNode present = Absent.or(node, JsonNodeFactory.instance.objectNode());
    return present.isNull() || present.isMissingNode()
        ? JsonNodeFactory.instance.objectNode()
        : present;
  }
}
