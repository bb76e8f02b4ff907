package dev.reprise.dev.kube;

import tools.jackson.databind.node.ObjectNode;

/**
 * One write to the store.
 *
 * @param previous the object before; empty for {@link Kind#ADDED}
 */
record Change(long revision, String resource, Kind kind, ObjectNode object, ObjectNode previous) {
  enum Kind {
    ADDED,
    MODIFIED,
    DELETED
  }
}
