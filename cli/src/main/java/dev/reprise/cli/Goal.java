package dev.reprise.cli;

import java.util.List;

/** When {@code reprise dev --until} ends by itself. */
enum Goal {
  /** Every Stack is ready, stalled, or has failed three times in a row. */
  SETTLED {
    @Override
    boolean reached(List<StackRow> rows) {
      return rows.stream()
          .allMatch(row -> row.ready() || row.stalled() || row.failures() >= ENOUGH_FAILURES);
    }
  },
  /** Every Stack is ready. */
  READY {
    @Override
    boolean reached(List<StackRow> rows) {
      return rows.stream().allMatch(StackRow::ready);
    }
  },
  /** Never: only Ctrl-C ends it. */
  NEVER {
    @Override
    boolean reached(List<StackRow> rows) {
      return false;
    }
  };

  private static final int ENOUGH_FAILURES = 3;

  abstract boolean reached(List<StackRow> rows);
}
