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

  @Test
  void aPrerequisiteThatBecomesReadyWakesOnlyThoseThatWaitForIt() throws Exception {
    bench.intake.seen(Stacks.inOrder("base").build());
    bench.intake.seen(Stacks.inOrder("waits").needs("base").build());
    bench.intake.seen(Stacks.inOrder("ready").needs("base").ready("u1").build());
    bench.intake.seen(Stacks.inOrder("other").needs("else").build());
    bench.intake.seen(Stacks.inOrder("free").build());
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();

    bench.intake.seen(Stacks.inOrder("base").ready("base-1").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("waits");
    assertThat(bench.starter.delivered.getFirst().reason()).isEqualTo("prerequisite base changed");
  }

  @Test
  void aPrerequisiteWakesAgainOnlyWithItsNextUpdate() throws Exception {
    bench.intake.seen(Stacks.inOrder("base").ready("base-1").build());
    bench.intake.seen(Stacks.inOrder("waits").needs("base").build());
    bench.intake.seen(Stacks.inOrder("base").ready("base-1").version("2").build());
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();

    bench.intake.seen(Stacks.inOrder("base").ready("base-2").build());
    bench.drain();
    bench.intake.seen(Stacks.inOrder("base").ready("base-2").version("4").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("waits");
  }

  @Test
  void aPrerequisiteThatIsNoLongerNamedWakesNobody() throws Exception {
    bench.intake.seen(Stacks.inOrder("base").build());
    bench.intake.seen(Stacks.inOrder("waits").needs("base").build());
    bench.intake.seen(Stacks.inOrder("waits").build());
    bench.intake.seen(Stacks.inOrder("gone").needs("base").build());
    bench.intake.gone("uid-gone");
    bench.intake.seen(Stacks.inOrder("base").ready("base-1").build());
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();
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
