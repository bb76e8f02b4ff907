package dev.reprise.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder, and all processes that were started in it: they carry its path in their environment, so
 * that none can hide. Nothing of the environment of the tests reaches them but the path of
 * programs.
 */
final class Sandbox implements AutoCloseable {
  private static final String MARK = "SANDBOX";

  private final Path folder;
  private final Map<String, String> environment = new TreeMap<>();
  private final List<RepriseProcess> started = new ArrayList<>();

  Sandbox(Path folder) {
    this.folder = folder;
    environment.put(MARK, folder.toString());
    environment.put("HOME", folder.toString());
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("KUBECONFIG", folder.resolve("no-kubeconfig").toString());
  }

  Sandbox with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Path folder() {
    return folder;
  }

  /** Copies the quickstart of the repository into folder {@code quickstart}. */
  Path quickstart() throws IOException {
    Path from = Path.of("../examples/quickstart");
    Path to = folder.resolve("quickstart");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
    return to;
  }

  /** Writes a file below the folder, making its parents. */
  Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolve("..").normalize());
    return Files.writeString(file, text);
  }

  /** Writes a program. */
  Path program(String name, String text) throws IOException {
    Path file = write(name, "#!/bin/sh\nset -eu\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** Starts a command. */
  RepriseProcess start(String... arguments) throws IOException {
    // A build that runs in the background of a shell ignores Ctrl-C, and so would its children.
    List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", classPath(), Main.class.getName()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output-" + started.size() + ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    RepriseProcess process = new RepriseProcess(builder.start(), output, List.of(arguments));
    started.add(process);
    return process;
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The command lines of the processes that are left. */
  List<String> left() {
    return processes().stream().map(Sandbox::commandLine).toList();
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> read(process, "environ").contains(MARK + "=" + folder + "\0"))
        .toList();
  }

  private static String commandLine(ProcessHandle process) {
    return read(process, "cmdline").replace('\0', ' ');
  }

  /** A process that has just ended says nothing. */
  private static String read(ProcessHandle process, String what) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), what));
      return new String(bytes, StandardCharsets.UTF_8) + "\0";
    } catch (IOException gone) {
      return "";
    }
  }

  /** Kills all that is left, also what was stopped. */
  @Override
  public void close() {
    started.forEach(RepriseProcess::kill);
    for (int round = 0; round < 10 && !processes().isEmpty(); round++) {
      processes().forEach(ProcessHandle::destroyForcibly);
      processes()
          .forEach(
              process ->
                  process
                      .onExit()
                      .orTimeout(5, java.util.concurrent.TimeUnit.SECONDS)
                      .exceptionally(late -> process)
                      .join());
    }
  }

  /** The folder of a Stack's workspace in the default state folder. */
  Path workspace(String stack) {
    try (Stream<Path> workspaces =
        Files.find(
            folder.resolve(".reprise/workspaces"),
            3,
            (path, a) -> path.resolveSibling(".").normalize().endsWith("default"))) {
      return workspaces
          .filter(workspace -> workspace.getFileName().toString().startsWith(stack + "-"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
