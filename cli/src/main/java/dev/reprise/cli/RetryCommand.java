package dev.reprise.cli;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowUpdateException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise retry}: one attempt now. */
@Command(
    name = "retry",
    mixinStandardHelpOptions = true,
    description = "Ends a Stack's wait and makes one attempt now; says what will happen.")
final class RetryCommand implements Callable<Integer> {
  @Mixin TargetOptions options = new TargetOptions();

  @Parameters(paramLabel = "NAME", description = "The Stack.")
  String name = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Its namespace (default: ${DEFAULT-VALUE}).")
  String namespace = "";

  @Option(
      names = "--reset-failures",
      description = "Also count failures anew, so that the next cooldown is the first again.")
  boolean resetFailures;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "reprise retry",
      description = "Why, for the record.")
  String reason = "";

  @Override
  public Integer call() {
    try (Target target = Target.find(options)) {
      StackIdentity stack =
          new StackList(target.kubernetes())
              .find(namespace, name)
              .map(StackReader::identity)
              .orElseThrow(
                  () ->
                      new UserProblem(
                          "there is no Stack %s in namespace %s; see: reprise get"
                              .formatted(name, namespace)));
      System.out.println(
          namespace + "/" + name + ": " + ask(target.temporal().client(), stack.uid()));
      return ExitCode.DONE;
    }
  }

  private String ask(WorkflowClient client, String uid) {
    String id = WorkflowIds.of(new StackRef(namespace, name, uid));
    try {
      return client
          .newWorkflowStub(StackWorkflow.class, id)
          .retry(new RetryRequest(resetFailures, reason));
    } catch (WorkflowNotFoundException e) {
      throw new UserProblem(
          "%s/%s has no open run in Temporal yet; is a watcher running?".formatted(namespace, name),
          e);
    } catch (WorkflowUpdateException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UserProblem("refused: " + cause.getMessage(), e);
    }
  }
}
