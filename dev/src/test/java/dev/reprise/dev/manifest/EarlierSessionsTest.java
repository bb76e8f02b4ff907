package dev.reprise.dev.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.crd.Crds;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierSessionsTest {
  @TempDir private Path dir;

  private EmbeddedKubernetes server = EmbeddedKubernetes.start();
  private KubernetesClient client = server.client();
  private final List<String> events = new ArrayList<>();

  private final ManifestListener listener =
      new ManifestListener() {
        @Override
        public void applied(Manifest manifest) {
          events.add("applied " + manifest.name());
        }

        @Override
        public void removed(Manifest manifest) {
          events.add("removed " + manifest.file().getFileName() + " " + manifest.title());
        }

        @Override
        public void problem(ManifestProblem problem) {
          events.add("problem " + problem.text());
        }
      };

  @BeforeEach
  void startKept() {
    stop();
    server =
        EmbeddedKubernetes.start(
            EmbeddedKubernetes.Options.defaults().keptIn(dir.resolve("state/cluster.jsonl")));
    client = server.client();
    if (client.resource(Crds.stack()).get() == null) {
      client.resource(Crds.stack()).create();
    }
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String stack(String name) {
    return "apiVersion: pulumi.com/v1\nkind: Stack\nmetadata: {name: %s}\nspec: {stack: dev}\n"
        .formatted(name);
  }

  private static String configMap(String name) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n".formatted(name);
  }

  private Path write(String file, String text) throws IOException {
    Files.createDirectories(dir.resolve(file).getParent());
    return Files.writeString(dir.resolve(file), text);
  }

  private void session(String path) {
    events.clear();
    new ManifestFolder(dir.resolve(path), client, listener, true).sync();
  }

  private List<GenericKubernetesResource> stacks() {
    return client
        .genericKubernetesResources("pulumi.com/v1", "Stack")
        .inAnyNamespace()
        .list()
        .getItems();
  }

  private List<String> names() {
    return stacks().stream().map(stack -> stack.getMetadata().getName()).toList();
  }

  @Test
  void aFileRemovedBetweenTwoSessionsIsDeletedAtTheNextStart() throws IOException {
    write("a/one.yaml", stack("one") + "---\n" + configMap("map"));
    Path two = write("a/two.yaml", stack("two").replace("name: two", "name: two, namespace: team"));
    session("a");
    String uid = stacks().getFirst().getMetadata().getUid();
    startKept();
    Files.delete(two);
    write("a/one.yaml", stack("one"));
    session("a");
    assertThat(names()).containsExactly("one");
    assertThat(stacks().getFirst().getMetadata().getUid()).isEqualTo(uid);
    assertThat(client.configMaps().inNamespace("default").withName("map").get()).isNull();
    assertThat(events)
        .containsExactlyInAnyOrder(
            "applied one",
            "removed two.yaml Stack team/two",
            "removed one.yaml ConfigMap default/map");
  }

  @Test
  void anObjectThatMovedToAnotherFileIsNeitherDeletedNorOfAnotherGeneration() throws IOException {
    Path old = write("a/old.yaml", stack("one"));
    session("a");
    GenericKubernetesResource before = stacks().getFirst();
    Files.move(old, old.resolveSibling("new.yaml"));
    session("a");
    GenericKubernetesResource after = stacks().getFirst();
    assertThat(events).containsExactly("applied one");
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(after.getMetadata().getAnnotations())
        .containsEntry(
            "reprise.dev/manifest", dir.resolve("a/new.yaml").toAbsolutePath().toString());
  }

  @Test
  void objectsOfOtherFoldersAndOtherHandsAreLeftAlone() throws IOException {
    write("a/one.yaml", stack("one"));
    write("a/below/two.yaml", stack("two"));
    write("b/three.yaml", stack("three"));
    session("a");
    session("a/below");
    session("b");
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("by-hand")
                .withNamespace("default")
                .addToAnnotations(
                    "reprise.dev/manifest", dir.resolve("a/x.yaml").toAbsolutePath().toString())
                .endMetadata()
                .build())
        .create();
    Files.delete(dir.resolve("a/one.yaml"));
    session("a");
    assertThat(names()).containsExactly("three", "two");
    assertThat(client.configMaps().inNamespace("default").withName("by-hand").get()).isNotNull();
  }

  @Test
  void aSessionOfOneFileLeavesTheOthersOfItsFolderAlone() throws IOException {
    Path one = write("a/one.yaml", stack("one") + "---\n" + stack("uno"));
    write("a/two.yaml", stack("two"));
    session("a");
    write("a/one.yaml", stack("one"));
    new ManifestFolder(one, client, listener, true).sync();
    assertThat(names()).containsExactly("one", "two");
  }

  @Test
  void whatAnUnreadableFileHeldIsKeptUntilTheFileCanBeRead() throws IOException {
    write("a/one.yaml", stack("one") + "---\n" + stack("uno"));
    session("a");
    write("a/one.yaml", stack("one") + "---\nkind: [\n");
    ManifestFolder folder = new ManifestFolder(dir.resolve("a"), client, listener, true);
    folder.sync();
    assertThat(names()).containsExactly("one", "uno");
    write("a/one.yaml", stack("one"));
    folder.sync();
    assertThat(names()).containsExactly("one");
  }

  @Test
  void aFolderThatCannotBeReadLosesNothing() throws IOException {
    write("a/one.yaml", stack("one"));
    ManifestFolder folder = new ManifestFolder(dir.resolve("a"), client, listener, true);
    folder.sync();
    Files.move(dir.resolve("a"), dir.resolve("away"));
    folder.sync();
    assertThat(names()).containsExactly("one");
  }

  @Test
  void aKindThatCannotBeListedIsAProblemAndLookedAtAgain() throws IOException {
    Path one = write("a/one.yaml", stack("one"));
    session("a");
    Files.delete(one);
    events.clear();
    ManifestFolder folder = new ManifestFolder(dir.resolve("a"), client, listener, true);
    server.faults().answer(2, request -> request.is("list", "stacks.pulumi.com"), 403);
    folder.sync();
    folder.sync();
    assertThat(events)
        .singleElement()
        .asString()
        .startsWith("problem a: whether a Stack was removed since the last session is not known");
    folder.sync();
    assertThat(names()).isEmpty();
  }

  @Test
  void emptyAnnotationsInAManifestAreNoProblem() throws IOException {
    write("a/one.yaml", stack("one").replace("{name: one}", "{name: one, annotations: }"));
    session("a");
    assertThat(events).containsExactly("applied one");
  }
}
