package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImagesTest {
  private static final Image EXACT = image("exact");
  private static final Image ANY_TAG = image("any tag");
  private static final Image OTHER = image("other");
  private final Images images =
      new Images(Map.of("reprise:1", EXACT, "host:5000/reprise", ANY_TAG), Set.of("gone:1"), OTHER);

  private static Image image(String entrypoint) {
    return new Image(List.of(), List.of(entrypoint), Map.of(), Image.ROOT);
  }

  @Test
  void anImageIsFoundByItsNameWithOrWithoutItsTag() {
    assertThat(images.pull("reprise:1")).contains(EXACT);
    assertThat(images.pull("host:5000/reprise:7")).contains(ANY_TAG);
    assertThat(images.pull("host:5000/reprise@sha256:00ff")).contains(ANY_TAG);
    assertThat(images.pull("reprise:2")).contains(OTHER);
    assertThat(images.pull("gone:1")).isEmpty();
    assertThat(images.pull("gone:2")).contains(OTHER);
  }

  @Test
  void aDockerfileTellsWhatRunsAndAsWhom() {
    String dockerfile =
        """
        FROM x
        USER 65532:65533
        ENTRYPOINT ["java", "-Da=b", \\
          "Main"]
        CMD ["--help"]
        """;

    assertThat(ProductImages.entrypoint(dockerfile)).containsExactly("java", "-Da=b", "Main");
    assertThat(ProductImages.user(dockerfile)).isEqualTo(new Image.User(65532, 65533));
  }
}
