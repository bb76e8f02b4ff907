package dev.reprise.cli;

import dev.reprise.workflows.workflow.Hint;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackRun;
import dev.reprise.workflows.workflow.StackView;
import dev.reprise.workflows.workflow.StackWorkflow;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A bad deploy: code that does not fit the histories of running workflows. */
public final class MisfitWorkflow implements StackWorkflow {
  @Override
  public void run(StackRun run) {
    Workflow.sleep(Duration.ofHours(1));
  }

  @Override
  public void wake(@Nullable Hint hint) {}

  @Override
  public void retryNow(@Nullable RetryRequest request) {}

  @Override
  public String retry(@Nullable RetryRequest request) {
    return "";
  }

  @Override
  public void validateRetry(@Nullable RetryRequest request) {}

  @Override
  public void hold(@Nullable String reason) {}

  @Override
  public void resume() {}

  @Override
  public void cancelOperation(@Nullable String reason) {}

  @Override
  public String cancel(@Nullable String reason) {
    return "";
  }

  @Override
  public void validateCancel(@Nullable String reason) {}

  @Override
  public StackView status() {
    return new StackView("", 0, "", 0, 0, "", "", "");
  }
}
