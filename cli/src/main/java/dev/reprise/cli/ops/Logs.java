package dev.reprise.cli.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;

/** Where a process logs to, and how. */
public final class Logs {
  private static final FileSize MOST = FileSize.valueOf("10MB");
  private static final String PATTERN =
      "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{24} - %msg%stack%n";

  private final LoggerContext context;
  private final LogFormat format;

  /**
   * Logs of a process; nothing has changed yet.
   *
   * @param context logback's
   */
  public Logs(LoggerContext context, LogFormat format) {
    this.context = context;
    this.format = format;
  }

  /** The least that Reprise itself logs; libraries stay at what logback.xml gives them. */
  public void level(Level level) {
    context.getLogger("dev.reprise").setLevel(level);
  }

  /** Replaces what is there by a stream. */
  public void to(OutputStream stream) {
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    appender.setEncoder(encoder());
    appender.setOutputStream(stream);
    replace(appender);
  }

  /** Replaces what is there by a file of at most 10 MB, with one older one beside it. */
  public void to(Path file) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());
    appender.setEncoder(encoder());
    FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
    window.setContext(context);
    window.setParent(appender);
    window.setFileNamePattern(file + ".%i");
    window.setMinIndex(1);
    window.setMaxIndex(1);
    window.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(MOST);
    size.start();
    appender.setRollingPolicy(window);
    appender.setTriggeringPolicy(size);
    replace(appender);
  }

  /** From now on, one line for an outage of Temporal instead of one for each failed poll. */
  public PollFailures foldPollFailures(InstantSource clock) {
    PollFailures failures = new PollFailures(context.getLogger(PollFailures.class), clock);
    failures.setContext(context);
    failures.start();
    context.addTurboFilter(failures);
    return failures;
  }

  private void replace(OutputStreamAppender<ILoggingEvent> appender) {
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
  }

  private Encoder<ILoggingEvent> encoder() {
    Encoder<ILoggingEvent> encoder =
        switch (format) {
          case TEXT -> text();
          case JSON -> json();
        };
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  private Encoder<ILoggingEvent> text() {
    PatternLayout layout = new PatternLayout();
    layout.setContext(context);
    layout.getInstanceConverterMap().put("stack", StackFields::new);
    layout.setPattern(PATTERN);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setLayout(layout);
    return encoder;
  }

  /** The arguments are in the message; twice would be twice as much to keep secrets out of. */
  private static Encoder<ILoggingEvent> json() {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMessage(false);
    encoder.setWithFormattedMessage(true);
    encoder.setWithArguments(false);
    return encoder;
  }
}
