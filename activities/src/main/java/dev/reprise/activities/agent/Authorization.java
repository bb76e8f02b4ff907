package dev.reprise.activities.agent;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Sends a bearer token with each call, and gives up one that was refused, so that the caller's next
 * try comes with a fresh one.
 */
final class Authorization implements ClientInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Credentials credentials;

  Authorization(Credentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    try {
      String token = credentials.token();
      ClientCall<Q, A> call = next.newCall(method, options);
      return token.isEmpty() ? call : new Authorized<>(call, token);
    } catch (CredentialsUnavailable e) {
      Status status = e.denied() ? Status.PERMISSION_DENIED : Status.UNAVAILABLE;
      return new Unsent<>(status.withDescription(e.getMessage()).withCause(e));
    }
  }

  private final class Authorized<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final String token;

    Authorized(ClientCall<Q, A> call, String token) {
      super(call);
      this.token = token;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      headers.put(AUTHORIZATION, "Bearer " + token);
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              if (status.getCode() == Status.Code.UNAUTHENTICATED) {
                credentials.refused(token);
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }

  /** A call that ends before it begins. */
  private static final class Unsent<Q, A> extends ClientCall<Q, A> {
    private final Status why;

    Unsent(Status why) {
      this.why = why;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      listener.onClose(why, new Metadata());
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }
}
