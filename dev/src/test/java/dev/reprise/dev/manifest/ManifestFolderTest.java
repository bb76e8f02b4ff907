package dev.reprise.dev.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.crd.Crds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestFolderTest {
  @TempDir private Path dir;

  private final EmbeddedKubernetes server = EmbeddedKubernetes.start();
  private final KubernetesClient client = server.client();
  private final Heard heard = new Heard();

  private static final class Heard implements ManifestListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();

    @Override
    public void applied(Manifest manifest) {
      events.add("applied " + manifest.name());
    }

    @Override
    public void removed(Manifest manifest) {
      events.add("removed " + manifest.name());
    }

    @Override
    public void problem(ManifestProblem problem) {
      problems.add(problem.text());
    }
  }

  @BeforeEach
  void installCrds() {
    client.resource(crd("/widget-crd.yaml")).create();
    client.resource(Crds.stack()).create();
  }

  private static CustomResourceDefinition crd(String file) {
    return Serialization.unmarshal(
        Objects.requireNonNull(ManifestFolderTest.class.getResourceAsStream(file)),
        CustomResourceDefinition.class);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Path write(String file, String text) throws IOException {
    return Files.writeString(dir.resolve(file), text);
  }

  private static String widget(String name, String more) {
    return "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: %s\nspec:\n  title: abc\n%s"
        .formatted(name, more);
  }

  private List<GenericKubernetesResource> widgets() {
    return client
        .genericKubernetesResources("example.com/v1", "Widget")
        .inAnyNamespace()
        .list()
        .getItems();
  }

  private List<String> names() {
    return widgets().stream().map(widget -> widget.getMetadata().getName()).toList();
  }

  private ManifestFolder folder() {
    return new ManifestFolder(dir, client, heard, true);
  }

  @Test
  void allManifestsOfTheTopLevelAreApplied() throws IOException {
    write("a.yaml", widget("one", "---\n" + widget("two", "")));
    write(
        "b.yml",
        "kind: List\napiVersion: v1\nitems:\n- " + widget("three", "").replace("\n", "\n  "));
    write(
        "c.json", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"map\"}}");
    write("Pulumi.yaml", "name: project\nruntime: yaml\n");
    write("Pulumi.dev.yaml", "config: {}\n");
    write(".hidden.yaml", widget("hidden", ""));
    Files.createDirectory(dir.resolve("program"));
    write("program/x.yaml", widget("nested", ""));
    assertThat(folder().sync()).isEqualTo(4);
    assertThat(names()).containsExactly("one", "three", "two");
    assertThat(heard.problems).isEmpty();
    assertThat(widgets())
        .allSatisfy(
            widget -> {
              assertThat(widget.getMetadata().getNamespace()).isEqualTo("default");
              assertThat(widget.getMetadata().getManagedFields().getFirst().getManager())
                  .isEqualTo("reprise-dev");
            });
  }

  @Test
  void missingNamespacesAreCreated() throws IOException {
    write("a.yaml", widget("one", "").replace("name: one", "name: one\n  namespace: team"));
    folder().sync();
    assertThat(widgets().getFirst().getMetadata().getNamespace()).isEqualTo("team");
  }

  @Test
  void anUnchangedFolderCausesNoWrites() throws IOException {
    write("a.yaml", widget("one", ""));
    ManifestFolder folder = folder();
    folder.sync();
    server.requests().reset();
    folder.sync();
    assertThat(server.requests().all()).isEmpty();
  }

  @Test
  void aBrokenDocumentIsOneLineAndTheOthersAreApplied() throws IOException {
    write("a.yaml", widget("one", "---\nkind: Widget\nmetadata: [\n---\n" + widget("two", "")));
    ManifestFolder folder = folder();
    folder.sync();
    folder.sync();
    assertThat(names()).containsExactly("one", "two");
    assertThat(heard.problems)
        .singleElement()
        .asString()
        .startsWith("a.yaml:")
        .doesNotContain("\n");
  }

  @Test
  void aFileThatIsBrokenForAWhileLosesNothing() throws IOException {
    write("a.yaml", widget("one", ""));
    ManifestFolder folder = folder();
    folder.sync();
    write("a.yaml", "apiVersion: [\n");
    folder.sync();
    assertThat(names()).containsExactly("one");
    write("a.yaml", widget("one", "  size: 4\n"));
    folder.sync();
    assertThat(widgets().getFirst().<Integer>get("spec", "size")).isEqualTo(4);
  }

  @Test
  void aDocumentThatIsNoManifestSaysWhatIsMissing() throws IOException {
    write("a.yaml", "kind: Widget\nmetadata: {}\n");
    folder().sync();
    assertThat(heard.problems)
        .singleElement()
        .asString()
        .contains("a.yaml:1", "apiVersion and metadata.name");
  }

  @Test
  void whatIsRemovedFromTheFolderIsDeleted() throws IOException {
    write("a.yaml", widget("one", "---\n" + widget("two", "")));
    Path other = write("b.yaml", widget("three", ""));
    ManifestFolder folder = folder();
    folder.sync();
    write("a.yaml", widget("one", ""));
    Files.delete(other);
    assertThat(folder.sync()).isEqualTo(1);
    assertThat(names()).containsExactly("one");
    assertThat(heard.events).contains("removed two", "removed three");
  }

  @Test
  void anUnknownFieldIsAWarningAndTheRestIsApplied() throws IOException {
    write("a.yaml", widget("one", "  sise: 4\n  steps: [{run: a, walk: b}]\n"));
    ManifestFolder folder = folder();
    folder.sync();
    folder.sync();
    assertThat(names()).containsExactly("one");
    assertThat(heard.problems)
        .containsExactly(
            "a.yaml:1: Widget one: spec.sise is not a known field and is ignored",
            "a.yaml:1: Widget one: spec.steps.walk is not a known field and is ignored");
  }

  @Test
  void aRefusedObjectNamesTheFieldAndLeavesTheOthersAlone() throws IOException {
    write("a.yaml", widget("one", "  size: 1000\n---\n" + widget("two", "")));
    write("b.yaml", "apiVersion: none.example.com/v1\nkind: Thing\nmetadata: {name: x}\n");
    folder().sync();
    assertThat(names()).containsExactly("two");
    assertThat(heard.problems).hasSize(2);
    assertThat(heard.problems.get(0)).contains("a.yaml:1", "spec.size");
    assertThat(heard.problems.get(1)).contains("b.yaml:1", "does not know", "Thing");
  }

  @Test
  void theSameObjectInTwoFilesIsAProblem() throws IOException {
    write("a.yaml", widget("one", "  size: 1\n"));
    write(
        "b.yaml",
        widget("one", "  size: 2\n").replace("name: one", "name: one\n  namespace: default"));
    folder().sync();
    assertThat(widgets().getFirst().<Integer>get("spec", "size")).isEqualTo(1);
    assertThat(heard.problems)
        .singleElement()
        .asString()
        .contains("b.yaml:1", "already defined in a.yaml:1");
  }

  @Test
  void aStackIsAppliedWithoutUnknownFieldsAndItsLocalDirectoryIsRelativeToTheManifest()
      throws IOException {
    Path file =
        write(
            "stack.yaml",
            """
            apiVersion: pulumi.com/v1
            kind: Stack
            metadata: {name: site}
            spec:
              stack: dev
              retry: {initialBackoffSeconds: 2}
              no:
                such: field
              workspaceTemplate:
                spec:
                  local: {dir: ../site}
            """);
    new ManifestFolder(file, client, heard, true).sync();
    GenericKubernetesResource stack =
        client
            .genericKubernetesResources("pulumi.com/v1", "Stack")
            .inNamespace("default")
            .withName("site")
            .get();
    assertThat(stack.<String>get("spec", "workspaceTemplate", "spec", "local", "dir"))
        .isEqualTo(dir.toAbsolutePath().resolveSibling("site").toString());
    assertThat(heard.problems)
        .containsExactly("stack.yaml:1: Stack site: spec.no is not a known field and is ignored");
  }

  @Test
  void editsAreFollowedAlsoWhenTheEditorRenames() throws IOException {
    write("a.yaml", widget("one", ""));
    try (ManifestFolder folder = folder()) {
      folder.sync();
      folder.follow();
      write("b.yaml", widget("two", ""));
      await().until(() -> names().contains("two"));
      Path temporary = write(".a.yaml.swp", widget("one", "  size: 9\n"));
      Files.move(temporary, dir.resolve("a.yaml"), StandardCopyOption.ATOMIC_MOVE);
      await().until(() -> Integer.valueOf(9).equals(widgets().getFirst().get("spec", "size")));
      Files.delete(dir.resolve("b.yaml"));
      await().until(() -> names().equals(List.of("one")));
    }
  }

  @Test
  void aPathWithNothingThereIsRefused() {
    assertThatThrownBy(() -> new ManifestFolder(dir.resolve("none"), client, heard, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not exist");
  }
}
