package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IntakeTest {
  private final Bench bench = new Bench();

  @Test
  void badObjectsBesideGoodOnesConcernNoOther() throws Exception {
    bench.intake.seen(new GenericKubernetesResource());
    bench.intake.seen(garbage("a", Map.of("spec", 7, "status", List.of("x"))));
    bench.intake.seen(
        garbage("b", Map.of("spec", Map.of("prerequisites", Map.of("name", 1)), "status", true)));
    bench.intake.seen(garbage("c", Map.of("spec", Map.of("prerequisites", List.of(1, "x")))));
    bench.intake.seen(Stacks.inOrder("good").generation(4).build());
    bench.drain();
    // A Stack that cannot be read is still wanted: its workflow tells what is wrong with it.
    assertThat(bench.starter.calls).containsExactly("a", "b", "c", "good");
  }

  @Test
  void anObjectThatBreaksTheReaderIsLeftAloneAndCounted() throws Exception {
    GenericKubernetesResource broken = Stacks.inOrder("broken").build();
    broken.setAdditionalProperty(
        "status",
        new AbstractMap<String, Object>() {
          @Override
          public Set<Entry<String, Object>> entrySet() {
            throw new IllegalStateException("unreadable");
          }
        });
    bench.intake.seen(broken);
    bench.intake.seen(Stacks.inOrder("good").generation(4).build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("good");
    assertThat(bench.intake.unreadable()).isEqualTo(1);
  }

  private static GenericKubernetesResource garbage(String name, Map<String, Object> fields) {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .withUid("uid-" + name)
            .build());
    fields.forEach(stack::setAdditionalProperty);
    return stack;
  }
}
