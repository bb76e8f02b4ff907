package dev.reprise.cli;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code reprise resume}: ends a hold. The annotation belongs to whoever set it, often a manifest
 * under version control, so it is taken off only when asked for.
 */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = "Ends a hold; says whether annotation reprise.dev/paused still pauses the Stack.")
final class ResumeCommand implements Callable<Integer> {
  @Mixin StackOptions options = new StackOptions();

  @Option(
      names = "--annotation",
      description = "Also take annotation reprise.dev/paused off the Stack.")
  boolean annotation;

  @Override
  public Integer call() {
    try (Target target = options.target()) {
      GenericKubernetesResource stack = options.find(target);
      if (annotation) {
        takeOff(target, stack);
      }
      options.run(target, stack).tell(run -> run.resume());
      System.out.println(
          StackRow.of(stack).name() + ": " + outcome(options.find(target), annotation));
      return ExitCode.DONE;
    }
  }

  /** The command line that resumes this Stack. */
  static String line(GenericKubernetesResource stack) {
    String namespace = stack.getMetadata().getNamespace();
    return "reprise resume "
        + stack.getMetadata().getName()
        + (namespace.equals("default") ? "" : " -n " + namespace);
  }

  /** What a person is told, from the Stack as it is after the signal. */
  static String outcome(GenericKubernetesResource stack, boolean tookOff) {
    String pause = StackReader.identity(stack).pause();
    if (pause.isEmpty()) {
      return tookOff ? "resumed; the annotation is off" : "resumed";
    }
    return "the hold has ended, but annotation %s still pauses it (%s); to take that off too: %s --annotation"
        .formatted(StackIdentity.PAUSED, pause, line(stack));
  }

  private static void takeOff(Target target, GenericKubernetesResource stack) {
    try {
      target
          .kubernetes()
          .genericKubernetesResources(StackList.TYPE)
          .inNamespace(stack.getMetadata().getNamespace())
          .withName(stack.getMetadata().getName())
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(StackIdentity.PAUSED));
    } catch (KubernetesClientException e) {
      throw new UserProblem("the annotation cannot be taken off: " + e.getMessage(), e);
    }
  }
}
