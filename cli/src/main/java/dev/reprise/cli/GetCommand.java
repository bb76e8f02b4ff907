package dev.reprise.cli;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise get}: the Stacks as a table. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    description = "Shows Stacks: phase, attempt, failures, and when the next attempt starts.")
final class GetCommand implements Callable<Integer> {
  @Mixin TargetOptions options = new TargetOptions();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only this namespace (default: all).")
  String namespace = "";

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Only these Stacks.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    try (Target target = Target.find(options)) {
      StackList stacks = new StackList(target.kubernetes());
      List<StackRow> rows =
          (namespace.isEmpty() ? stacks.rows() : stacks.rows(namespace))
              .stream().filter(this::wanted).toList();
      StackTable.lines(rows, Instant.now()).forEach(System.out::println);
      return ExitCode.DONE;
    }
  }

  private boolean wanted(StackRow row) {
    return names.isEmpty() || names.stream().anyMatch(name -> row.name().endsWith("/" + name));
  }
}
