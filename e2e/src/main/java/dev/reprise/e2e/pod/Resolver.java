package dev.reprise.e2e.pod;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Answers the pods' questions for addresses, over UDP. It knows nothing but what it is given. */
final class Resolver implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Resolver.class);
  private static final int LARGEST = 4096;
  private static final long SECONDS_TO_LIVE = 1;

  private final Function<String, Optional<List<String>>> names;
  private final DatagramSocket socket;

  /**
   * Starts to answer.
   *
   * @param address where it listens
   * @param names the addresses of a name; empty when there is no such name
   */
  Resolver(InetSocketAddress address, Function<String, Optional<List<String>>> names) {
    this.names = names;
    try {
      this.socket = new DatagramSocket(address);
    } catch (IOException e) {
      throw new UncheckedIOException("the resolver cannot listen at " + address, e);
    }
    Thread.ofPlatform().daemon().name("pod-resolver").start(this::serve);
  }

  /** Where it listens. */
  SocketAddress address() {
    return socket.getLocalSocketAddress();
  }

  private void serve() {
    byte[] buffer = new byte[LARGEST];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(packet);
        byte[] question = Arrays.copyOf(packet.getData(), packet.getLength());
        byte[] answer = answer(new Message(question)).toWire();
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.warn("a question was not answered", e);
        }
      }
    }
  }

  /** The answer to a question. */
  Message answer(Message question) throws IOException {
    Message answer = new Message(question.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setFlag(Flags.AA);
    if (question.getHeader().getFlag(Flags.RD)) {
      answer.getHeader().setFlag(Flags.RD);
      answer.getHeader().setFlag(Flags.RA);
    }
    Record asked = question.getQuestion();
    if (asked == null) {
      answer.getHeader().setRcode(Rcode.FORMERR);
      return answer;
    }
    answer.addRecord(asked, Section.QUESTION);
    Optional<List<String>> addresses = names.apply(asked.getName().toString());
    if (addresses.isEmpty()) {
      answer.getHeader().setRcode(Rcode.NXDOMAIN);
    } else if (asked.getType() == Type.A) {
      for (String address : addresses.get()) {
        answer.addRecord(
            new ARecord(
                asked.getName(), DClass.IN, SECONDS_TO_LIVE, InetAddress.getByName(address)),
            Section.ANSWER);
      }
    }
    return answer;
  }

  @Override
  public void close() {
    socket.close();
  }
}
