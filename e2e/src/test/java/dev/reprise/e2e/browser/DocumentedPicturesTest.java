package dev.reprise.e2e.browser;

import dev.reprise.e2e.engine.DevTemporal;
import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.product.DevProduct;
import dev.reprise.e2e.product.Product;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of {@code docs/web-ui.md} anew. Fails when the Web UI no longer shows what the
 * page says.
 */
@Tag("screenshots")
class DocumentedPicturesTest {
  private static final Path PICTURES = Path.of("..", "docs", "images");

  private static final String FAILING =
      """
      echo "creating bucket reports in eu-centrl-1"
      echo "error: no such region: eu-centrl-1" >&2
      exit 1
      """;

  private static final String COPYING =
      "i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo \"copying table $i\"; sleep 0.5; done";

  @Test
  void picturesOfThePageAboutTheWebUi(@TempDir Path folder) {
    try (DevTemporal temporal =
            new DevTemporal(Programs.fromEnvironment(), folder.resolve("temporal"), "127.0.0.1");
        Product product = new DevProduct(folder.resolve("product"), temporal.address());
        WebUi ui = new WebUi(temporal.webUi())) {
      product.apply("site", "exit 0", 60).stack().awaitReady();
      product.apply("database", COPYING, 60);
      // The sixth cooldown is long enough for all pictures.
      product.apply("broken", FAILING, 2).stack().awaitFailures(6);

      picturesOfACooldown(ui);
      pictureOfAnOperation(ui);
      pictureOfTheList(ui);
    }
  }

  private static void pictureOfTheList(WebUi ui) {
    ui.chooseColumns(
        List.of(
            "StackName",
            "StackPhase",
            "StackFailures",
            "StackNextAttempt",
            "StackGeneration",
            "Start"));
    ui.list(
        "StackPhase=\"CoolingDown\" OR StackPhase=\"Running\" OR StackPhase=\"InSync\"",
        "default/broken");
    ui.screenshot(picture("list"), 440);
  }

  private static void picturesOfACooldown(WebUi ui) {
    ui.openRun("default", "broken");
    ui.timelineSummaries("after 6 failures");
    ui.scrollToTimeline();
    ui.screenshot(picture("timeline"), 800);
    ui.currentDetails("CoolingDown");
    ui.screenshot(picture("cooling"), 760);
    ui.lookAtSignals();
    ui.screenshot(picture("signal"), 800);
  }

  private static void pictureOfAnOperation(WebUi ui) {
    ui.openRun("default", "database");
    ui.pendingActivityProgress(shown -> !shown.contains("\"events\": 0,"));
    ui.screenshot(picture("running"), 720);
  }

  private static Path picture(String name) {
    return PICTURES.resolve("web-ui-" + name + ".png");
  }
}
