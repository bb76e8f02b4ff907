package dev.reprise.dev.kube;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Kubernetes' own controllers do about deletions: dependents go with their owners, the content
 * of a namespace and the instances of a CRD go first. Runs at once after each change.
 */
final class Cascade {
  static final String FOREGROUND = "foregroundDeletion";
  static final String ORPHAN = "orphan";
  static final String CRD_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  /** Real namespaces keep this in {@code spec.finalizers}; here it is an ordinary finalizer. */
  static final String NAMESPACE_FINALIZER = "kubernetes";

  private final ObjectStore store;
  private final ResourceRegistry registry;
  private final Deletes deletes;
  private final Deque<Change> pending = new ArrayDeque<>();
  private boolean running;

  Cascade(ObjectStore store, ResourceRegistry registry, Deletes deletes) {
    this.store = store;
    this.registry = registry;
    this.deletes = deletes;
  }

  void onChange(Change change) {
    if (change.kind() != Change.Kind.DELETED && !Meta.deleting(change.object())) {
      return;
    }
    pending.add(change);
    if (running) {
      return;
    }
    running = true;
    try {
      for (Change next = pending.poll(); next != null; next = pending.poll()) {
        settle(next);
      }
    } finally {
      running = false;
    }
  }

  private void settle(Change change) {
    ObjectNode object = change.object();
    if (change.kind() == Change.Kind.DELETED) {
      deleteDependents(Meta.uid(object));
      afterRemoval(change.resource(), object);
      return;
    }
    if (Meta.finalizers(object).contains(ORPHAN)) {
      orphanDependents(Meta.uid(object));
      release(change.resource(), object, ORPHAN);
    }
    if (Meta.finalizers(object).contains(FOREGROUND)) {
      deleteDependents(Meta.uid(object));
      releaseIfAlone(change.resource(), object);
    }
    switch (change.resource()) {
      case "namespaces" -> emptyNamespace(object);
      case ResourceRegistry.CRDS -> removeInstances(object);
      default -> {}
    }
  }

  /** Somebody may have waited for this object to go: an owner, its namespace or its CRD. */
  private void afterRemoval(String resource, ObjectNode removed) {
    for (String each : store.resources()) {
      for (ObjectNode object : store.list(each, "")) {
        if (Meta.finalizers(object).contains(FOREGROUND)
            && Meta.ownedBy(removed, Meta.uid(object))) {
          releaseIfAlone(each, object);
        }
      }
    }
    store
        .get("namespaces", "", Meta.namespace(removed))
        .filter(Meta::deleting)
        .ifPresent(this::emptyNamespace);
    store
        .get(ResourceRegistry.CRDS, "", resource)
        .filter(Meta::deleting)
        .ifPresent(this::removeInstances);
  }

  private void deleteDependents(String uid) {
    for (String resource : store.resources()) {
      for (ObjectNode object : store.list(resource, "")) {
        if (Meta.ownedBy(object, uid)) {
          deleteUnlessOwned(resource, object, uid);
        }
      }
    }
  }

  /** An object with another living owner only loses this reference. */
  private void deleteUnlessOwned(String resource, ObjectNode object, String uid) {
    boolean otherOwner =
        object
            .path("metadata")
            .path("ownerReferences")
            .valueStream()
            .map(owner -> Json.text(owner, "uid"))
            .anyMatch(other -> !other.equals(uid) && findByUid(other).isPresent());
    if (otherOwner) {
      ObjectNode next = object.deepCopy();
      Meta.removeOwner(next, uid);
      store.put(resource, next);
    } else if (!Meta.deleting(object)) {
      registry.byResource(resource).ifPresent(type -> deletes.delete(type, object, ""));
    }
  }

  private void orphanDependents(String uid) {
    for (String resource : store.resources()) {
      for (ObjectNode object : store.list(resource, "")) {
        if (Meta.ownedBy(object, uid)) {
          ObjectNode next = object.deepCopy();
          Meta.removeOwner(next, uid);
          store.put(resource, next);
        }
      }
    }
  }

  private void releaseIfAlone(String resource, ObjectNode owner) {
    boolean dependents =
        store.resources().stream()
            .flatMap(each -> store.list(each, "").stream())
            .anyMatch(object -> Meta.blocksDeletionOf(object, Meta.uid(owner)));
    if (!dependents) {
      release(resource, owner, FOREGROUND);
    }
  }

  private void emptyNamespace(ObjectNode namespace) {
    boolean empty = true;
    for (String resource : store.resources()) {
      for (ObjectNode object : store.list(resource, Meta.name(namespace))) {
        empty = false;
        if (!Meta.deleting(object)) {
          registry.byResource(resource).ifPresent(type -> deletes.delete(type, object, ""));
        }
      }
    }
    if (empty) {
      release("namespaces", namespace, NAMESPACE_FINALIZER);
    }
  }

  private void removeInstances(ObjectNode crd) {
    String resource = Meta.name(crd);
    for (ObjectNode object : store.list(resource, "")) {
      if (!Meta.deleting(object)) {
        registry.byResource(resource).ifPresent(type -> deletes.delete(type, object, ""));
      }
    }
    if (store.list(resource, "").isEmpty()) {
      release(ResourceRegistry.CRDS, crd, CRD_FINALIZER);
    }
  }

  private void release(String resource, ObjectNode object, String finalizer) {
    Optional<ObjectNode> current = store.get(resource, Meta.namespace(object), Meta.name(object));
    if (current.isEmpty() || !Meta.finalizers(current.get()).contains(finalizer)) {
      return;
    }
    ObjectNode next = current.get().deepCopy();
    Meta.removeFinalizer(next, finalizer);
    if (Meta.finalizers(next).isEmpty()) {
      store.remove(resource, next);
    } else {
      store.put(resource, next);
    }
  }

  private Optional<ObjectNode> findByUid(String uid) {
    return store.resources().stream()
        .flatMap(resource -> store.list(resource, "").stream())
        .filter(object -> Meta.uid(object).equals(uid))
        .findFirst();
  }
}
