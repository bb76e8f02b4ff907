package dev.reprise.activities.workspace.pod;

import java.util.Iterator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The variables of one container. Of two with one name the later counts, and takes the earlier
 * one's place: the API server would refuse both together in an apply.
 *
 * @param list the container's {@code env}
 * @param optional whether a Secret or key that is missing leaves a variable out, rather than
 *     keeping the container from starting
 */
record Env(ArrayNode list, boolean optional) {

  Env value(String name, String value) {
    add(name).put("value", value);
    return this;
  }

  Env secret(String name, String secret, String key) {
    return secret(name, secret, key, optional);
  }

  Env secret(String name, String secret, String key, boolean mayBeMissing) {
    ObjectNode ref = add(name).putObject("valueFrom").putObject("secretKeyRef");
    ref.put("name", secret).put("key", key);
    if (mayBeMissing) {
      ref.put("optional", true);
    }
    return this;
  }

  Env field(String name, String fieldPath) {
    add(name).putObject("valueFrom").putObject("fieldRef").put("fieldPath", fieldPath);
    return this;
  }

  Env resource(String name, String container, String resource) {
    add(name)
        .putObject("valueFrom")
        .putObject("resourceFieldRef")
        .put("containerName", container)
        .put("resource", resource);
    return this;
  }

  private ObjectNode add(String name) {
    for (Iterator<JsonNode> present = list.iterator(); present.hasNext(); ) {
      if (present.next().path("name").asString("").equals(name)) {
        present.remove();
      }
    }
    return list.addObject().put("name", name);
  }
}
