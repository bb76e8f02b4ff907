package dev.reprise.cli.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

  @Test
  void hostAndPortOrOnlyAPortOrOff() throws Exception {
    assertThat(ListenAddress.of("--x", "127.0.0.1:8383"))
        .hasValueSatisfying(address -> assertThat(address.toString()).isEqualTo("/127.0.0.1:8383"));
    assertThat(ListenAddress.of("--x", ":81"))
        .hasValueSatisfying(
            address -> assertThat(address.getAddress().isAnyLocalAddress()).isTrue());
    assertThat(ListenAddress.of("--x", "off")).isEmpty();
    assertThat(ListenAddress.of("--x", "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"8383", "host:", "127.0.0.1:70000", ":-1", "on", "no.such.host.invalid:1"})
  void anythingElseIsAMistakeThatNamesTheOption(String text) {
    assertThatThrownBy(() -> ListenAddress.of("--metrics-address", text))
        .isInstanceOf(OpsException.class)
        .hasMessageStartingWith("--metrics-address \"" + text + "\"")
        .hasMessageContaining("use host:port");
  }

  @Test
  void aTakenPortIsAMistakeThatNamesTheOption() throws Exception {
    try (OpsServer first =
        OpsServer.listen("--a", ListenAddress.of("--a", "127.0.0.1:0").orElseThrow())) {
      var taken = ListenAddress.of("--b", "127.0.0.1:" + first.port()).orElseThrow();
      assertThatThrownBy(() -> OpsServer.listen("--b", taken))
          .isInstanceOf(OpsException.class)
          .hasMessageContaining("give another address with --b");
    }
  }
}
