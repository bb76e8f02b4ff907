package dev.reprise.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnvFileTest {
  @TempDir Path folder;

  private Map<String, String> read(String text) throws IOException {
    Path file = folder.resolve(".env");
    Files.writeString(file, text);
    return EnvFile.read(file).variables();
  }

  @Test
  void variablesAreReadAsShellsAndOtherToolsWriteThem() throws Exception {
    assertThat(
            read(
                """
                # a comment

                PLAIN=a b # rest
                EMPTY=
                export EXPORTED = yes
                SINGLE='a # $b \\n'
                DOUBLE="line\\nnext \\"x\\"" # rest
                URL=https://x/#part
                BASE64=YQ==
                """))
        .containsOnly(
            Map.entry("PLAIN", "a b"),
            Map.entry("EMPTY", ""),
            Map.entry("EXPORTED", "yes"),
            Map.entry("SINGLE", "a # $b \\n"),
            Map.entry("DOUBLE", "line\nnext \"x\""),
            Map.entry("URL", "https://x/#part"),
            Map.entry("BASE64", "YQ=="));
  }

  @Test
  void aFileThatIsNotThereHoldsNothing() throws Exception {
    assertThat(EnvFile.read(folder.resolve("none")).variables()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A=1\ncanary", "A=1\nB=\"canary", "A=1\n1B=canary"})
  void aBadLineIsNamedWithoutItsValue(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2")
        .hasMessageNotContaining("canary");
  }
}
