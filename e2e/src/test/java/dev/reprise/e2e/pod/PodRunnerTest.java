package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.Commands;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodRunnerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private PodWorld world;
  private PodRunner runner;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    world = new PodWorld(folder, PodWorld.testImages(folder));
    runner = world.runner;
  }

  @AfterAll
  void stop() {
    world.close();
  }

  private static String get(String host) {
    return "exec 3<>/dev/tcp/%s/8080 && printf \"GET / HTTP/1.0\\r\\n\\r\\n\" >&3 && timeout 2 cat <&3"
        .formatted(host);
  }

  private Commands.Ended ask(String namespace, String pod, String host) {
    return runner.exec(namespace, pod, "timeout", "5", "bash", "-c", get(host));
  }

  @Test
  void aStatefulSetRunsWithAllThatItAsksFor() throws IOException {
    String namespace = world.namespace("asks");

    world.apply(namespace, PodWorld.resource("pods/web.yaml"));
    Pod pod = world.awaitReady(namespace, "web-0");

    assertThat(pod.getStatus().getPodIP()).startsWith("10.77.");
    assertThat(runner.log(namespace, "web-0", "main"))
        .contains(
            "colour blue, password s3cret, absent <unset>, in asks as default, memory 67108864\n",
            "user 1000:1000, folder /share/made, host web-0, init said filled-by-init",
            "secret s3cret, settings a=1")
        .doesNotContain("the root can be written");
    String account = "/var/run/secrets/kubernetes.io/serviceaccount/";
    assertThat(runner.exec(namespace, "web-0", "cat", account + "namespace").output())
        .isEqualTo("asks");
    assertThat(runner.exec(namespace, "web-0", "cat", account + "ca.crt").output())
        .startsWith("-----BEGIN CERTIFICATE");
    assertThat(runner.exec(namespace, "web-0", "cat", account + "token").output()).startsWith("ey");
  }

  @Test
  void podsCallEachOtherByTheNamesOfTheirServices() throws IOException {
    String namespace = world.namespace("talks");
    world.apply(namespace, PodWorld.resource("pods/web.yaml"));
    world.shell(namespace, "caller", "Always", "sleep 1000");
    world.awaitReady(namespace, "web-0");
    world.awaitReady(namespace, "caller");

    for (String name : List.of("web", "web.talks", "web-0.web", "web-0.web.talks.svc")) {
      assertThat(ask(namespace, "caller", name).output()).contains("I am web-0");
    }
    assertThat(ask(namespace, "caller", "nobody").exitCode()).isNotZero();

    runner.cutNetwork(namespace, "web-0");
    assertThat(ask(namespace, "caller", "web").exitCode()).isNotZero();
    runner.joinNetwork(namespace, "web-0");
    assertThat(ask(namespace, "caller", "web").output()).contains("I am web-0");

    runner.freeze(namespace, "web-0");
    assertThat(ask(namespace, "caller", "web").output()).doesNotContain("I am web-0");
    runner.thaw(namespace, "web-0");
    assertThat(ask(namespace, "caller", "web").output()).contains("I am web-0");
  }

  @Test
  void aKilledContainerStartsAgainWithItsVolumesAndIsCounted() throws IOException {
    String namespace = world.namespace("crashes");
    world.apply(namespace, PodWorld.resource("pods/web.yaml"));
    world.awaitReady(namespace, "web-0");
    List<Long> before = runner.pids(namespace, "web-0");
    runner.exec(namespace, "web-0", "touch", "/share/kept");

    runner.killContainer(namespace, "web-0");
    Pod pod =
        world.await(
            namespace,
            "web-0",
            "ready after a restart",
            one -> PodWorld.ready(one) && PodWorld.main(one).getRestartCount() == 1);

    assertThat(PodWorld.main(pod).getLastState().getTerminated().getExitCode()).isEqualTo(137);
    assertThat(before).hasSizeGreaterThan(1);
    assertThat(PodWorld.alive(before)).isFalse();
    assertThat(runner.exec(namespace, "web-0", "ls", "/share/kept").exitCode()).isZero();
  }

  @Test
  void aContainerThatCannotStartIsTriedAgainEverMoreSlowly() {
    String namespace = world.namespace("loops");

    world.shell(namespace, "broken", "Always", "exit 3");
    Pod pod =
        world.await(
            namespace,
            "broken",
            "waits for its restart",
            one ->
                PodWorld.main(one).getState().getWaiting() != null
                    && PodWorld.main(one).getRestartCount() > 1);

    assertThat(PodWorld.main(pod).getState().getWaiting().getReason())
        .isEqualTo("CrashLoopBackOff");
    assertThat(PodWorld.main(pod).getLastState().getTerminated().getExitCode()).isEqualTo(3);
  }

  @Test
  void aPodThatIsDeletedIsAskedToEndAndItsSuccessorHasANewAddress() throws IOException {
    String namespace = world.namespace("ends");
    world.apply(namespace, PodWorld.resource("pods/web.yaml"));
    Pod first = world.awaitReady(namespace, "web-0");
    List<Long> pids = runner.pids(namespace, "web-0");

    world.client.pods().inNamespace(namespace).withName("web-0").delete();
    Pod second =
        world.await(
            namespace,
            "web-0",
            "replaced",
            pod ->
                !pod.getMetadata().getUid().equals(first.getMetadata().getUid())
                    && PodWorld.ready(pod));

    assertThat(runner.log(namespace, "web-0", "main")).contains("asked to end");
    assertThat(PodWorld.alive(pids)).isFalse();
    assertThat(second.getStatus().getPodIP()).isNotEqualTo(first.getStatus().getPodIP());
  }

  @Test
  void aPodThatDoesNotListenIsEndedByForceAfterItsGracePeriod() {
    String namespace = world.namespace("ignores");
    world.shell(namespace, "deaf", "Always", "sleep 1000");
    world.awaitReady(namespace, "deaf");
    List<Long> pids = runner.pids(namespace, "deaf");

    world.client.pods().inNamespace(namespace).withName("deaf").delete();
    world.awaitGone(namespace, "deaf");

    assertThat(pids).isNotEmpty();
    assertThat(PodWorld.alive(pids)).isFalse();
  }

  @Test
  void aPodThatVanishesFromTheApiIsEnded() {
    String namespace = world.namespace("vanishes");
    world.shell(namespace, "forced", "Always", "sleep 1000");
    world.awaitReady(namespace, "forced");
    List<Long> pids = runner.pids(namespace, "forced");

    world.client.pods().inNamespace(namespace).withName("forced").withGracePeriod(0).delete();

    assertThat(pids).isNotEmpty();
    await("its processes to end").atMost(LIMIT).until(() -> !PodWorld.alive(pids));
  }

  @Test
  void aPodThatIsDoneKeepsHowItEnded() {
    String namespace = world.namespace("done");

    world.shell(namespace, "good", "OnFailure", "echo did it");
    world.shell(namespace, "bad", "Never", "exit 7");

    world.await(
        namespace, "good", "succeeded", pod -> pod.getStatus().getPhase().equals("Succeeded"));
    Pod bad =
        world.await(namespace, "bad", "failed", pod -> pod.getStatus().getPhase().equals("Failed"));
    assertThat(PodWorld.main(bad).getState().getTerminated().getExitCode()).isEqualTo(7);
    assertThat(runner.log(namespace, "good", "main")).isEqualTo("did it\n");
  }

  @Test
  void aContainerThatNeedsMoreMemoryThanItMayIsEnded() {
    String namespace = world.namespace("hungry");

    world.apply(
        namespace,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: big}
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: any
              command: [sh, -c, "exec tail /dev/zero"]
              resources: {limits: {memory: 32Mi}}
        """);
    Pod pod =
        world.await(namespace, "big", "failed", one -> one.getStatus().getPhase().equals("Failed"));

    assertThat(PodWorld.main(pod).getState().getTerminated().getReason()).isEqualTo("OOMKilled");
  }

  @Test
  void anImageThatIsNotThereIsSaidSo() {
    String namespace = world.namespace("images");

    world.apply(
        namespace,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: lost}
        spec:
          containers: [{name: main, image: nowhere}]
        """);

    world.await(
        namespace,
        "lost",
        "reports its image",
        pod ->
            !pod.getStatus().getContainerStatuses().isEmpty()
                && PodWorld.main(pod).getState().getWaiting() != null
                && PodWorld.main(pod)
                    .getState()
                    .getWaiting()
                    .getReason()
                    .equals("ImagePullBackOff"));
  }

  @Test
  void podsOutliveTheApiServerAndAreCaughtUpWith() {
    String namespace = world.namespace("outlives");
    world.shell(namespace, "steady", "Always", "sleep 1000");
    world.shell(namespace, "shaken", "Always", "sleep 1000");
    world.awaitReady(namespace, "steady");
    world.awaitReady(namespace, "shaken");
    List<Long> pids = runner.pids(namespace, "steady");

    world.cluster.apiServer().kill();
    runner.killContainer(namespace, "shaken");
    world.cluster.apiServer().restart();
    world.cluster.awaitReady();

    world.await(
        namespace,
        "shaken",
        "restarted",
        pod -> PodWorld.main(pod).getRestartCount() == 1 && PodWorld.ready(pod));
    assertThat(PodWorld.alive(pids)).isTrue();
    assertThat(world.awaitReady(namespace, "steady").getStatus().getContainerStatuses())
        .allMatch(status -> status.getRestartCount() == 0);
  }
}
