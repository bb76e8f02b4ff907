package dev.reprise.stack.spec;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import tools.jackson.databind.JsonNode;

/** Specs for tests, written in YAML. */
final class Specs {
  private Specs() {}

  static StackSpec read(String yaml) throws SpecInvalid {
    JsonNode object =
        new KubernetesSerialization().unmarshal("spec:\n" + yaml.indent(1), JsonNode.class);
    return SpecReader.read(object.path("spec"), "apps");
  }
}
