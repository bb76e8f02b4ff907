package dev.reprise.e2e.world;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One world for all tests that do not break it, started by the first of them. */
public final class SharedWorld implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedWorld.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == World.class;
  }

  @Override
  public World resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(
            World.class,
            key -> new World(Path.of("target/e2e/shared").toAbsolutePath(), Map.of()),
            World.class);
  }
}
