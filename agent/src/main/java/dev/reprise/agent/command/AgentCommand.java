package dev.reprise.agent.command;

import picocli.CommandLine.Command;

/** {@code agent}: the other end of the gRPC call. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Fills a workspace, and runs operations in it.",
    subcommands = {InitCommand.class, ServeCommand.class})
public final class AgentCommand {
  static final int DONE = 0;
  static final int FAILED = 1;
}
