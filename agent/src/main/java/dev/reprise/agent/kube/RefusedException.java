package dev.reprise.agent.kube;

import io.grpc.Status;

/** Why a call does not pass, in gRPC's terms. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Status status;

  RefusedException(Status status) {
    super(status.getDescription());
    this.status = status;
  }

  Status status() {
    return status;
  }
}
