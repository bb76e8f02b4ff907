package dev.reprise.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows Stacks while they change: a live table on a terminal, a line per change elsewhere. */
sealed interface Screen {

  /** Set by the launcher when stdout is a terminal; Java 21 cannot tell by itself. */
  String TERMINAL = "reprise.terminal";

  /** Shows the rows as they are now. */
  void show(List<StackRow> rows);

  /** Says something that is not about a row, such as a manifest that cannot be read. */
  void say(String line);

  /** Leaves the table as it is shown now on the screen. */
  void end(List<StackRow> rows);

  static Screen on(PrintStream out) {
    return Boolean.getBoolean(TERMINAL) ? new Live(out) : new Plain(out);
  }

  /** Redraws in place. */
  final class Live implements Screen {
    /** A line that wrapped would not be one line to go up by: let the terminal cut it. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";
    private static final String CLEAR_LINE = "\u001b[2K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintStream out;
    private int drawn;

    Live(PrintStream out) {
      this.out = out;
    }

    @Override
    public synchronized void show(List<StackRow> rows) {
      StringBuilder frame = new StringBuilder(up()).append(NO_WRAP);
      List<String> lines = StackTable.lines(rows, Instant.now());
      lines.forEach(line -> frame.append(CLEAR_LINE).append(line).append('\n'));
      frame.append(CLEAR_BELOW).append(WRAP);
      drawn = lines.size();
      out.print(frame);
      out.flush();
    }

    @Override
    public synchronized void say(String line) {
      out.print(up() + CLEAR_BELOW + line + "\n");
      drawn = 0;
      out.flush();
    }

    @Override
    public void end(List<StackRow> rows) {
      show(rows);
    }

    private String up() {
      return drawn == 0 ? "" : "\u001b[" + drawn + "A";
    }
  }

  /** One line when a Stack's state has changed, with the time; the whole table at the end. */
  final class Plain implements Screen {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final PrintStream out;
    private final Map<String, String> last = new HashMap<>();

    Plain(PrintStream out) {
      this.out = out;
    }

    @Override
    public synchronized void show(List<StackRow> rows) {
      for (StackRow row : rows) {
        String state =
            "%s  %s%s%s"
                .formatted(
                    row.name(),
                    row.phase(),
                    row.failures() > 0 ? "  failures " + row.failures() : "",
                    row.message().isEmpty() ? "" : "  " + row.message());
        if (!state.equals(last.put(row.name(), state))) {
          say(state);
        }
      }
      last.keySet()
          .removeIf(
              name -> {
                boolean gone = rows.stream().noneMatch(row -> row.name().equals(name));
                if (gone) {
                  say(name + "  gone");
                }
                return gone;
              });
    }

    @Override
    public synchronized void say(String line) {
      out.println(LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + line);
    }

    @Override
    public synchronized void end(List<StackRow> rows) {
      out.println();
      StackTable.lines(rows, Instant.now()).forEach(out::println);
    }
  }
}
