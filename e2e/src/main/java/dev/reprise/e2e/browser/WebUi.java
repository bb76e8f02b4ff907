package dev.reprise.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ScreenshotAnimations;
import com.microsoft.playwright.options.ScreenshotCaret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Temporal's Web UI in a browser. Every step waits for what it needs on the page, 30 seconds at
 * most. For one thread alone.
 */
public final class WebUi implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The same in milliseconds, as the browser takes it. */
  private static final double MILLIS = 30_000;

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int HEIGHT = 800;

  private final Chromium chromium;
  private final Page page;
  private final String address;

  /**
   * Opens a browser.
   *
   * @param address where the Web UI answers, {@code http://host:port}
   */
  public WebUi(String address) {
    this.address = address;
    this.chromium = new Chromium();
    this.page = chromium.page(HEIGHT);
    page.setDefaultTimeout(MILLIS);
    page.setDefaultNavigationTimeout(MILLIS);
  }

  /**
   * Lets the list show the search attributes of Stacks, as a person chooses them once with the gear
   * below the list.
   */
  public void chooseColumns(List<String> columns) {
    List<String> labels = columns.stream().map(name -> "{\"label\":\"" + name + "\"}").toList();
    page.addInitScript(
        "localStorage.setItem('namespace-workflow-table-columns', '{\"default\":"
            + labels.toString()
            + "}')");
  }

  /**
   * Lists the workflows of Stacks in a phase and waits until one is among them.
   *
   * @param phase such as {@code CoolingDown}
   * @param stack a Stack that has to be in it, as {@code namespace/name}
   * @return the ids of all that are listed
   */
  public List<String> listFilteredBy(String phase, String stack) {
    list("StackPhase=\"%s\" AND ExecutionStatus=\"Running\"".formatted(phase), stack);
    return idLinks().allInnerTexts();
  }

  /**
   * Lists what a filter finds and waits until a Stack is there.
   *
   * @param filter in the list filter language of Temporal
   * @param stack as {@code namespace/name}
   */
  public void list(String filter, String stack) {
    await(stack + " to be listed by " + filter)
        .atMost(LIMIT)
        .pollInterval(LOOK)
        .pollInSameThread()
        .until(
            () -> {
              // The list is behind by some moments, and does not look again by itself.
              page.navigate(listAddress(filter));
              assertThat(page.getByRole(AriaRole.TABLE)).isVisible(within());
              return page.getByRole(AriaRole.ROW)
                      .filter(new Locator.FilterOptions().setHasText(stack))
                      .count()
                  > 0;
            });
  }

  private String listAddress(String filter) {
    return address
        + "/namespaces/default/workflows?query="
        + URLEncoder.encode(filter, StandardCharsets.UTF_8);
  }

  private Locator idLinks() {
    return page.getByRole(AriaRole.LINK).filter(new Locator.FilterOptions().setHasText("stack/"));
  }

  /**
   * Opens the run of a Stack that is open.
   *
   * @return its run id
   */
  public String openRun(String namespace, String name) {
    String stack = namespace + "/" + name;
    list("StackName=\"%s\" AND ExecutionStatus=\"Running\"".formatted(stack), stack);
    page.getByRole(AriaRole.LINK)
        .filter(new Locator.FilterOptions().setHasText("stack/" + stack + "/"))
        .first()
        .click();
    assertThat(page.getByRole(AriaRole.TABLIST).first()).isVisible(within());
    page.waitForURL("**/history**");
    return page.url().replaceFirst(".*/workflows/[^/]+/([^/?]+).*", "$1");
  }

  /** The Current Details of the run, once they hold this text. */
  public String currentDetails(String text) {
    tab("User Metadata");
    Locator details =
        page.locator("iframe").last().contentFrame().getByRole(AriaRole.TABLE).first();
    fresh("Current Details", details, shown -> shown.contains(text), this::pressR);
    return details.innerText().replace('\u00a0', ' ');
  }

  /** The progress that the pending activity shows, once it is as this asks for. */
  public String pendingActivityProgress(Predicate<String> wish) {
    tab("Pending Activities");
    Locator details =
        page.locator(".cm-content").filter(new Locator.FilterOptions().setHasText("operationId"));
    fresh(
        "the progress",
        details.first(),
        wish,
        () -> {
          page.reload();
          details.first().waitFor();
        });
    return details.first().innerText();
  }

  /** The summaries in the timeline, the newest first, once one of them holds this text. */
  public List<String> timelineSummaries(String text) {
    tab("History");
    Locator bars = page.locator("svg").getByRole(AriaRole.BUTTON);
    fresh(
        "a summary in the timeline with " + text,
        bars.filter(new Locator.FilterOptions().setHasText(text)).first(),
        shown -> true,
        this::pressR);
    return bars.allTextContents().stream().map(String::strip).toList();
  }

  /** Scrolls to the timeline of the run that is open. */
  public void scrollToTimeline() {
    page.locator("svg")
        .getByRole(AriaRole.BUTTON)
        .first()
        .evaluate(
            "bar => {"
                + " const timeline = bar.closest('svg');"
                + " timeline.style.scrollMarginTop = '50px';"
                + " timeline.scrollIntoView(); }");
  }

  /** Waits until an element shows what is asked for. */
  private void fresh(String what, Locator element, Predicate<String> wish, Runnable lookAgain) {
    await(what)
        .atMost(LIMIT)
        .pollInterval(LOOK)
        .pollInSameThread()
        .until(
            () -> {
              if (element.count() > 0 && wish.test(element.textContent())) {
                return true;
              }
              lookAgain.run();
              return false;
            });
  }

  /** What the page itself offers for a newer state. */
  private void pressR() {
    page.keyboard().press("r");
  }

  private void tab(String name) {
    page.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName(name)).click();
  }

  /** Opens the dialog that sends a signal, with the list of signals unfolded. */
  public void lookAtSignals() {
    openSignals();
    assertThat(page.getByRole(AriaRole.OPTION).first()).isVisible(within());
  }

  private void openSignals() {
    button("More Actions").click();
    page.getByRole(AriaRole.MENUITEM, new Page.GetByRoleOptions().setName("Send a Signal")).click();
    button("Select a signal").click();
  }

  /**
   * Sends a signal to the run that is open, by the dialog.
   *
   * @param name such as {@code retryNow}
   * @param json its input; "" = none
   */
  public void sendSignal(String name, String json) {
    openSignals();
    page.getByRole(AriaRole.OPTION, new Page.GetByRoleOptions().setName(name)).click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    if (!json.isEmpty()) {
      dialog.locator(".cm-content").fill(json);
    }
    confirm(dialog, "Submit");
  }

  /** Requests the cancellation of the run that is open, and waits until it has closed so. */
  public void requestCancellation() {
    button("Request Cancellation").click();
    confirm(page.getByRole(AriaRole.DIALOG), "Confirm");
    Locator closed = page.getByText("Canceled", new Page.GetByTextOptions().setExact(true));
    fresh("the run to be shown as cancelled", closed.first(), shown -> true, this::pressR);
  }

  private void confirm(Locator dialog, String with) {
    dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(with)).click();
    assertThat(dialog).isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(MILLIS));
  }

  private Locator button(String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  private static LocatorAssertions.IsVisibleOptions within() {
    return new LocatorAssertions.IsVisibleOptions().setTimeout(MILLIS);
  }

  /** Keeps a picture of what is visible. */
  public void screenshot(Path file) {
    screenshot(file, HEIGHT);
  }

  /**
   * The same, with a window of another height.
   *
   * @param height in pixels
   */
  public void screenshot(Path file, int height) {
    Chromium.resize(page, height);
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(file)
            .setAnimations(ScreenshotAnimations.DISABLED)
            .setCaret(ScreenshotCaret.HIDE));
    Chromium.resize(page, HEIGHT);
  }

  @Override
  public void close() {
    chromium.close();
  }
}
