package dev.reprise.dev.temporal;

import java.util.List;

/** The main class behind the fake {@code temporal} program: serves where {@code --port} says. */
final class FakeTemporal {
  private FakeTemporal() {}

  public static void main(String[] args) throws InterruptedException {
    List<String> arguments = List.of(args);
    int port = Integer.parseInt(arguments.get(arguments.indexOf("--port") + 1));
    EmbeddedTemporal service = EmbeddedTemporal.start(port);
    System.out.println("fake temporal " + String.join(" ", arguments));
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    Thread.currentThread().join();
  }
}
