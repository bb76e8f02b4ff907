package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class ResolverTest {
  private final Resolver resolver =
      new Resolver(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          name ->
              name.equals("web.apps.svc.")
                  ? Optional.of(List.of("10.0.0.2", "10.0.0.3"))
                  : Optional.empty());

  @AfterEach
  void stop() {
    resolver.close();
  }

  private Message ask(String name, int type) throws IOException {
    Message question = Message.newQuery(Record.newRecord(Name.fromString(name), type, DClass.IN));
    byte[] wire = question.toWire();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(10_000);
      // What is no question is passed over.
      socket.send(new DatagramPacket(new byte[] {1}, 1, resolver.address()));
      socket.send(new DatagramPacket(wire, wire.length, resolver.address()));
      DatagramPacket answer = new DatagramPacket(new byte[512], 512);
      socket.receive(answer);
      Message message = new Message(Arrays.copyOf(answer.getData(), answer.getLength()));
      assertThat(message.getHeader().getID()).isEqualTo(question.getHeader().getID());
      return message;
    }
  }

  @Test
  void aKnownNameHasItsAddresses() throws IOException {
    Message answer = ask("web.apps.svc.", Type.A);

    assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
    assertThat(answer.getSection(Section.ANSWER))
        .extracting(Record::rdataToString)
        .containsExactly("10.0.0.2", "10.0.0.3");
  }

  @Test
  void aKnownNameHasNoAddressesOfOtherKindsButExists() throws IOException {
    Message answer = ask("web.apps.svc.", Type.AAAA);

    assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
    assertThat(answer.getSection(Section.ANSWER)).isEmpty();
  }

  @Test
  void anUnknownNameDoesNotExist() throws IOException {
    assertThat(ask("other.apps.svc.", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
  }
}
