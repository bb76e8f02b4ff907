package dev.reprise.stack.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {
  @ParameterizedTest
  @ValueSource(strings = {"stacks.pulumi.com.yaml", "programs.pulumi.com.yaml"})
  void theChartBringsTheDefinitionsThatAreTested(String name) throws IOException {
    assertThat(Path.of("../helm/reprise/files/crds", name))
        .hasSameTextualContentAs(Path.of("src/main/resources/crds", name));
  }
}
