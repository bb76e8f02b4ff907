package dev.reprise.cli;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.temporal.client.WorkflowException;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise repair}: replaces a run that cannot go on. Never done by a program unasked. */
@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    description =
        "Replaces the run of a Stack whose workflow task fails for ever, as after a deploy that"
            + " does not fit running histories. The new run goes on from the Stack's status.")
final class RepairCommand implements Callable<Integer> {
  /** Set by the start script where a person sits at both ends. */
  private static final String INTERACTIVE = "reprise.interactive";

  @Mixin StackOptions options = new StackOptions();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  boolean yes;

  @Option(names = "--force", description = "Also replace a run that is healthy.")
  boolean force;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "reprise repair",
      description = "Why, for the record.")
  String reason = "";

  @Override
  public Integer call() {
    try (Target target = options.target()) {
      GenericKubernetesResource stack = options.find(target);
      StackRef ref =
          new StackRef(
              stack.getMetadata().getNamespace(),
              stack.getMetadata().getName(),
              stack.getMetadata().getUid());
      Replacement replacement = new Replacement(target.temporal().client(), target.cluster(), ref);
      Optional<RunHealth> run = replacement.examine();
      if (run.isPresent()) {
        refuse(ref, run.get());
        plan(ref, run.get(), StackReader.status(stack).retry()).forEach(System.out::println);
        confirm();
        replacement.terminate(run.get(), reason);
      }
      System.out.println(ref + ": " + start(ref, replacement, run));
      return ExitCode.DONE;
    } catch (WorkflowException e) {
      throw new UserProblem("Temporal does not take it: " + Causes.innermost(e), e);
    }
  }

  private static String start(StackRef ref, Replacement replacement, Optional<RunHealth> closed) {
    try {
      if (closed.isEmpty()) {
        replacement.start();
        return "no run was open; one has started from the status";
      }
      int told = replacement.startInPlaceOf(closed.get());
      return "repaired; a new run has started"
          + (told == 0 ? "" : " and was told %d signals the old one had not heard".formatted(told));
    } catch (WorkflowException e) {
      throw new UserProblem(
          "%s has no run now, and a new one did not start (%s); the watcher starts one within minutes, or repeat: reprise repair %s"
              .formatted(ref, Causes.innermost(e), ref.name()),
          e);
    }
  }

  private void refuse(StackRef ref, RunHealth run) {
    if (force) {
      return;
    }
    if (!run.failing()) {
      throw new UserProblem(
          "%s has a healthy run, there is nothing to repair; to end a wait: reprise retry %s; to replace the run all the same: --force"
              .formatted(ref, ref.name()));
    }
    if (run.reporting()) {
      throw new UserProblem(
          "%s: the last write of its status is still under way, and the new run would not know of it; try again in a moment, or --force"
              .formatted(ref));
    }
  }

  /** What is found and what will be done, line by line. */
  static List<String> plan(StackRef ref, RunHealth run, RetryStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: run %s %s"
            .formatted(
                ref, run.runId(), run.failing() ? "cannot go on: " + run.text() : "is healthy"));
    lines.add("  it is terminated, and a new one goes on from the Stack's status: " + of(status));
    if (!status.running().equals(RetryStatus.Attempt.NONE)) {
      lines.add(
          "  %s %s goes on in its agent; the new run follows it to its end"
              .formatted(status.running().kind(), status.running().update()));
    }
    return lines;
  }

  private static String of(RetryStatus status) {
    if (status.equals(RetryStatus.NONE)) {
      return "nothing is recorded there, the Stack is taken up like a new one";
    }
    String next =
        status.nextAttemptTime().isAfter(Instant.EPOCH)
            ? ", next attempt " + status.nextAttemptTime()
            : "";
    String hold = status.hold().isEmpty() ? "" : ", held: " + status.hold();
    return "attempt %d, failures %d%s%s".formatted(status.attempt(), status.failures(), next, hold);
  }

  private void confirm() {
    if (yes) {
      return;
    }
    if (!Boolean.getBoolean(INTERACTIVE)) {
      throw new UserProblem("nobody is here to be asked; to do this, say --yes");
    }
    System.out.print("Replace the run? [y/N] ");
    System.out.flush();
    try (Scanner answers = new Scanner(System.in, Charset.defaultCharset())) {
      if (!answers.hasNextLine() || !answers.nextLine().strip().equalsIgnoreCase("y")) {
        throw new UserProblem("nothing was changed");
      }
    }
  }
}
