package dev.reprise.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.reprise.agent.operation.OperationException;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PropertyPathTest {
  private static String set(String... paths) throws OperationException {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    for (String path : paths) {
      PropertyPath.set(root, path, JsonNodeFactory.instance.textNode("v"));
    }
    return root.toString();
  }

  @Test
  void mapsAndListsGrowAsThePathSays() throws Exception {
    assertThat(set("p:a.b")).isEqualTo("{\"p:a\":{\"b\":\"v\"}}");
    assertThat(set("p:a[0].b", "p:a[1]")).isEqualTo("{\"p:a\":[{\"b\":\"v\"},\"v\"]}");
    assertThat(set("[\"x.y\"][\"z\"]")).isEqualTo("{\"x.y\":{\"z\":\"v\"}}");
    assertThat(set("a", "a")).isEqualTo("{\"a\":\"v\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a[1]", "[0]", "a[", "a.", "a[x]"})
  void otherPathsAreRefused(String path) {
    OperationException e = catchThrowableOfType(OperationException.class, () -> set(path));

    assertThat(e.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(e.text()).contains(path);
  }

  @Test
  void aTextInTheMiddleOfAPathIsRefused() {
    assertThat(catchThrowableOfType(OperationException.class, () -> set("a", "a.b")).text())
        .contains("neither a map nor a list");
  }
}
