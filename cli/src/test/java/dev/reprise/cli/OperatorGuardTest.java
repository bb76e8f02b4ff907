package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperatorGuardTest {
  private final Deque<Supplier<Optional<String>>> answers = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final OperatorGuard guard = new OperatorGuard(() -> answers.removeFirst().get());

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  void aProcessBeginsAtOnceWhereNoOtherOperatorWorks() {
    answers.add(Optional::empty);
    guard.start(() -> done.add("suspend"), () -> done.add("resume"));
    assertThat(done).containsExactly("resume");
    assertThat(guard.clear()).isTrue();
  }

  @Test
  void aProcessWorksOnlyWhileTheOtherOperatorDoesNot() {
    lookAt(() -> Optional.of("pko/operator.pulumi.com"), false);
    lookAt(() -> Optional.of("pko/operator.pulumi.com"), false);
    assertThat(done).isEmpty();

    lookAt(Optional::empty, true);
    lookAt(Optional::empty, true);
    assertThat(done).containsExactly("resume");

    lookAt(() -> Optional.of("pko/operator.pulumi.com"), false);
    lookAt(Optional::empty, true);
    assertThat(done).containsExactly("resume", "suspend", "resume");
  }

  @Test
  void withoutTheRightToReadLeasesItGoesOn() {
    lookAt(refused(403), true);
    lookAt(refused(403), true);
    assertThat(done).containsExactly("resume");
  }

  @Test
  void whenNothingIsKnownAnymoreNothingChanges() {
    lookAt(refused(503), false);
    assertThat(done).isEmpty();
    lookAt(Optional::empty, true);
    lookAt(refused(503), true);
    lookAt(() -> Optional.of("pko/operator.pulumi.com"), false);
    lookAt(refused(503), false);
    assertThat(done).containsExactly("resume", "suspend");
  }

  private void lookAt(Supplier<Optional<String>> answer, boolean clear) {
    answers.add(answer);
    guard.look(() -> done.add("suspend"), () -> done.add("resume"));
    assertThat(guard.clear()).isEqualTo(clear);
  }

  private static Supplier<Optional<String>> refused(int code) {
    return () -> {
      throw new KubernetesClientException("refused", code, null);
    };
  }
}
