package dev.reprise.stack.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The CustomResourceDefinitions that come with Reprise. */
public final class Crds {
  private Crds() {}

  /** The definition of {@code stacks.pulumi.com}. */
  public static CustomResourceDefinition stack() {
    return load("stacks.pulumi.com.yaml");
  }

  /** The definition of {@code programs.pulumi.com}. */
  public static CustomResourceDefinition program() {
    return load("programs.pulumi.com.yaml");
  }

  private static CustomResourceDefinition load(String file) {
    try (InputStream yaml = Crds.class.getResourceAsStream("/crds/" + file)) {
      if (yaml == null) {
        throw new IllegalStateException("/crds/" + file + " is missing from the program");
      }
      return new KubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
