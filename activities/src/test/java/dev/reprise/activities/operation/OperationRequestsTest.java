package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a Stack says of its operations reaches the agent. */
class OperationRequestsTest {
  private static final String TEMPLATE =
      """
      {stack: dev, targets: [spec], refresh: false, updateTemplate: {spec: {message: by hand,
      parallel: 4, replace: [r], target: [t], targetDependents: true, refresh: true,
      continueOnError: true, expectNoChanges: true, remove: true, runProgram: true}}}
      """;

  @Test
  void theStacksOwnFieldsReachEachOperationThatKnowsThem() throws SpecInvalid {
    String spec =
        "{stack: dev, targets: [a], targetDependents: true, refresh: true, runProgram: true}";

    assertThat(of(spec, OperationKind.UP).up())
        .satisfies(up -> assertThat(up.getTargetList()).containsExactly("a"))
        .satisfies(up -> assertThat(up.getTargetDependents()).isTrue())
        .satisfies(up -> assertThat(up.getRefresh()).isTrue())
        .satisfies(up -> assertThat(up.hasParallel()).isFalse());
    assertThat(of(spec, OperationKind.PREVIEW).preview())
        .satisfies(preview -> assertThat(preview.getTargetList()).containsExactly("a"))
        .satisfies(preview -> assertThat(preview.getRefresh()).isTrue());
    assertThat(of(spec, OperationKind.REFRESH).refresh())
        .satisfies(refresh -> assertThat(refresh.getTargetList()).containsExactly("a"))
        .satisfies(refresh -> assertThat(refresh.getRunProgram()).isTrue());
    assertThat(of(spec, OperationKind.DESTROY).destroy())
        .satisfies(destroy -> assertThat(destroy.getTargetList()).containsExactly("a"))
        .satisfies(destroy -> assertThat(destroy.getTargetDependents()).isTrue())
        .satisfies(destroy -> assertThat(destroy.getRefresh()).isTrue())
        .satisfies(destroy -> assertThat(destroy.getRunProgram()).isTrue());
  }

  @Test
  void theTemplateWinsForUp() throws SpecInvalid {
    assertThat(of(TEMPLATE, OperationKind.UP).up())
        .satisfies(up -> assertThat(up.getMessage()).isEqualTo("by hand"))
        .satisfies(up -> assertThat(up.getParallel()).isEqualTo(4))
        .satisfies(up -> assertThat(up.getReplaceList()).containsExactly("r"))
        .satisfies(up -> assertThat(up.getTargetList()).containsExactly("t"))
        .satisfies(up -> assertThat(up.getTargetDependents()).isTrue())
        .satisfies(up -> assertThat(up.getRefresh()).isTrue())
        .satisfies(up -> assertThat(up.getContinueOnError()).isTrue())
        .satisfies(up -> assertThat(up.getExpectNoChanges()).isTrue());
  }

  @Test
  void theTemplateWinsForTheOtherOperationsToo() throws SpecInvalid {
    assertThat(of(TEMPLATE, OperationKind.PREVIEW).preview())
        .satisfies(preview -> assertThat(preview.getMessage()).isEqualTo("by hand"))
        .satisfies(preview -> assertThat(preview.getParallel()).isEqualTo(4))
        .satisfies(preview -> assertThat(preview.getReplaceList()).containsExactly("r"))
        .satisfies(preview -> assertThat(preview.getTargetList()).containsExactly("t"))
        .satisfies(preview -> assertThat(preview.getExpectNoChanges()).isTrue());
    assertThat(of(TEMPLATE, OperationKind.REFRESH).refresh())
        .satisfies(refresh -> assertThat(refresh.getMessage()).isEqualTo("by hand"))
        .satisfies(refresh -> assertThat(refresh.getParallel()).isEqualTo(4))
        .satisfies(refresh -> assertThat(refresh.getTargetList()).containsExactly("t"))
        .satisfies(refresh -> assertThat(refresh.getExpectNoChanges()).isTrue())
        .satisfies(refresh -> assertThat(refresh.getRunProgram()).isTrue());
    assertThat(of(TEMPLATE, OperationKind.DESTROY).destroy())
        .satisfies(destroy -> assertThat(destroy.getMessage()).isEqualTo("by hand"))
        .satisfies(destroy -> assertThat(destroy.getParallel()).isEqualTo(4))
        .satisfies(destroy -> assertThat(destroy.getTargetList()).containsExactly("t"))
        .satisfies(destroy -> assertThat(destroy.getRemove()).isTrue())
        .satisfies(destroy -> assertThat(destroy.getContinueOnError()).isTrue())
        .satisfies(destroy -> assertThat(destroy.getRunProgram()).isTrue());
  }

  @Test
  void expectNoRefreshChangesHasNoEffectOnARefresh() throws SpecInvalid {
    assertThat(
            of("{stack: dev, expectNoRefreshChanges: true}", OperationKind.REFRESH)
                .refresh()
                .getExpectNoChanges())
        .isFalse();
  }

  @Test
  void theStackIsSelectedAsTheSpecSays() throws SpecInvalid {
    assertThat(of("{stack: a/b/dev}", OperationKind.UP).select())
        .satisfies(select -> assertThat(select.getStackName()).isEqualTo("a/b/dev"))
        .satisfies(select -> assertThat(select.getCreate()).isTrue())
        .satisfies(select -> assertThat(select.hasSecretsProvider()).isFalse());
    assertThat(
            of(
                    "{stack: dev, useLocalStackOnly: true, secretsProvider: passphrase}",
                    OperationKind.UP)
                .select())
        .satisfies(select -> assertThat(select.getCreate()).isFalse())
        .satisfies(select -> assertThat(select.getSecretsProvider()).isEqualTo("passphrase"));
  }

  private static OperationRequests of(String yaml, OperationKind kind) throws SpecInvalid {
    JsonNode spec =
        new KubernetesSerialization()
            .unmarshal("spec:\n" + yaml.indent(1), JsonNode.class)
            .path("spec");
    return new OperationRequests(
        SpecReader.read(spec, "apps"),
        new OperationInput(
            new StackRef("apps", "web", "u-1"),
            3,
            kind,
            false,
            "u-1/3/up/web-1",
            "web-1",
            false,
            Duration.ZERO,
            Duration.ZERO));
  }
}
