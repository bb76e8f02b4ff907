package dev.reprise.agent;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Protocol buffers by hand: field numbers and wire types only, no generated class. */
final class Wire {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  Wire text(int field, String value) throws IOException {
    out.writeString(field, value);
    return this;
  }

  Wire number(int field, long value) throws IOException {
    out.writeInt64(field, value);
    return this;
  }

  Wire flag(int field) throws IOException {
    return number(field, 1);
  }

  Wire message(int field, Wire value) throws IOException {
    out.writeByteArray(field, value.bytes());
    return this;
  }

  byte[] bytes() throws IOException {
    out.flush();
    return bytes.toByteArray();
  }

  /** The fields of a message: numbers as Long, doubles as Double, all else as byte[]. */
  static Map<Integer, List<Object>> fields(byte[] message) {
    Map<Integer, List<Object>> fields = new TreeMap<>();
    try {
      CodedInputStream in = CodedInputStream.newInstance(message);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        Object value =
            switch (WireFormat.getTagWireType(tag)) {
              case WireFormat.WIRETYPE_VARINT -> in.readInt64();
              case WireFormat.WIRETYPE_FIXED64 -> in.readDouble();
              case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.readByteArray();
              default -> throw new IOException("unexpected wire type in tag " + tag);
            };
        fields
            .computeIfAbsent(WireFormat.getTagFieldNumber(tag), n -> new ArrayList<>())
            .add(value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return fields;
  }

  /** The first value of a field that is a message. */
  static Map<Integer, List<Object>> message(Map<Integer, List<Object>> fields, int field) {
    return fields(raw(fields, field));
  }

  static String text(Map<Integer, List<Object>> fields, int field) {
    return new String(raw(fields, field), StandardCharsets.UTF_8);
  }

  static long number(Map<Integer, List<Object>> fields, int field) {
    return fields.getOrDefault(field, List.of()).getFirst() instanceof Long number ? number : -1;
  }

  private static byte[] raw(Map<Integer, List<Object>> fields, int field) {
    return fields.getOrDefault(field, List.of()).getFirst() instanceof byte[] bytes
        ? bytes
        : new byte[0];
  }

  /** Calls a method of agent.AutomationService with raw bytes, there and back. */
  static List<Map<Integer, List<Object>>> call(ManagedChannel channel, String method, Wire request)
      throws IOException {
    boolean stream = List.of("Preview", "Refresh", "Up", "Destroy").contains(method);
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(
                stream
                    ? MethodDescriptor.MethodType.SERVER_STREAMING
                    : MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("agent.AutomationService/" + method)
            .setRequestMarshaller(new Raw())
            .setResponseMarshaller(new Raw())
            .build();
    List<Map<Integer, List<Object>>> answers = new ArrayList<>();
    if (stream) {
      Iterator<byte[]> messages =
          ClientCalls.blockingServerStreamingCall(
              channel, descriptor, CallOptions.DEFAULT, request.bytes());
      messages.forEachRemaining(message -> answers.add(fields(message)));
    } else {
      answers.add(
          fields(
              ClientCalls.blockingUnaryCall(
                  channel, descriptor, CallOptions.DEFAULT, request.bytes())));
    }
    return answers;
  }

  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
