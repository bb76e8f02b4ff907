package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.DevTemporal;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
        .computeIfAbsent(Started.class, key -> Started.now(), Started.class)
        .world();
  }

  /** A world, or why there is none: it is not tried again for each test. */
  private record Started(@Nullable World running, @Nullable RuntimeException failure)
      implements AutoCloseable {

    static Started now() {
      try {
        return new Started(
            new World(Path.of("target/e2e/shared").toAbsolutePath(), DevTemporal::new), null);
      } catch (RuntimeException e) {
        return new Started(null, e);
      }
    }

    World world() {
      if (running == null) {
        throw new IllegalStateException("the world could not be started", failure);
      }
      return running;
    }

    @Override
    public void close() throws Exception {
      if (running != null) {
        running.close();
      }
    }
  }
}
