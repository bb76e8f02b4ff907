package dev.reprise.e2e.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The browser of this machine, without a window. */
final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final int WIDTH = 1280;

  /** What keeps it from needing a sandbox, a graphics card or the network. */
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    if (!Files.isExecutable(PROGRAM)) {
      throw new IllegalStateException(
          "there is no " + PROGRAM + "; install Debian's package chromium");
    }
    this.playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    this.browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(PROGRAM)
                    .setHeadless(true)
                    .setArgs(FLAGS));
  }

  /** A page of a person who was never here before. */
  Page page(int height) {
    return browser
        .newContext(
            new Browser.NewContextOptions()
                .setViewportSize(WIDTH, height)
                .setTimezoneId("UTC")
                .setLocale("en-GB"))
        .newPage();
  }

  /** Makes the window as high as this many pixels. */
  static void resize(Page page, int height) {
    page.setViewportSize(WIDTH, height);
  }

  @Override
  public void close() {
    playwright.close();
  }
}
