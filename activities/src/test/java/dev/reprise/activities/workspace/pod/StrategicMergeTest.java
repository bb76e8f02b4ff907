package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.SpecInvalid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class StrategicMergeTest {

  @Test
  void objectsAreMergedFieldByFieldAndValuesReplaced() throws Exception {
    assertThat(merged("{a: {x: 1, y: 2}, b: old}", "{a: {y: 3, z: 4}, b: new, c: true}"))
        .isEqualTo(yaml("{a: {x: 1, y: 3, z: 4}, b: new, c: true}"));
  }

  @Test
  void nullRemovesAFieldAndIsLeftOutOfWhatIsNew() throws Exception {
    assertThat(merged("{a: {x: 1, y: 2}, b: 1}", "{a: {x: null}, b: null, c: {d: null, e: 1}}"))
        .isEqualTo(yaml("{a: {y: 2}, c: {e: 1}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containers          | {name: a, image: x}                  | {name: a, tty: true}",
        "initContainers      | {name: a, image: x}                  | {name: a, tty: true}",
        "volumes             | {name: a, image: x}                  | {name: a, tty: true}",
        "env                 | {name: a, image: x}                  | {name: a, tty: true}",
        "imagePullSecrets    | {name: a, image: x}                  | {name: a, tty: true}",
        "volumeMounts        | {mountPath: /a, image: x}            | {mountPath: /a, tty: true}",
        "volumeDevices       | {devicePath: /a, image: x}           | {devicePath: /a, tty: true}",
        "hostAliases         | {ip: 1.1.1.1, image: x}              | {ip: 1.1.1.1, tty: true}",
        "topologySpreadConstraints | {topologyKey: z, whenUnsatisfiable: w, image: x} | {topologyKey: z, whenUnsatisfiable: w, tty: true}",
      })
  void itemsWithTheSameKeyAreMergedAndOthersAdded(String list, String item, String patch)
      throws Exception {
    JsonNode result =
        merged("{%s: [%s]}".formatted(list, item), "{%s: [%s]}".formatted(list, patch)).path(list);
    assertThat(result.size()).isEqualTo(1);
    assertThat(result.get(0).path("image").asString()).isEqualTo("x");
    assertThat(result.get(0).path("tty").asBoolean()).isTrue();

    String other = patch.replace(": a", ": b").replace("/a", "/b").replace("1.1.1.1", "2.2.2.2");
    other = other.replace("whenUnsatisfiable: w", "whenUnsatisfiable: v");
    JsonNode added =
        merged("{%s: [%s]}".formatted(list, item), "{%s: [%s]}".formatted(list, other)).path(list);
    assertThat(added.size()).isEqualTo(2);
    assertThat(added.get(0)).isEqualTo(yaml(item));
  }

  @Test
  void portsOfAContainerAreToldApartByNumberAndProtocolWhichIsTcpUnlessGiven() throws Exception {
    String base = "{containers: [{name: a, ports: [{containerPort: 80, protocol: TCP, name: p}]}]}";
    assertThat(
            merged(
                    base,
                    "{containers: [{name: a, ports: [{containerPort: 80, hostPort: 1},"
                        + " {containerPort: 80, protocol: UDP}]}]}")
                .path("containers")
                .get(0)
                .path("ports"))
        .isEqualTo(
            yaml(
                "[{containerPort: 80, protocol: TCP, name: p, hostPort: 1},"
                    + " {containerPort: 80, protocol: UDP}]"));
  }

  @Test
  void portsOfAServiceAreToldApartByPort() throws Exception {
    assertThat(
            merged(
                "{spec: {ports: [{name: grpc, port: 1, protocol: TCP}]}}",
                "{spec: {ports: [{port: 1, targetPort: 2}, {port: 3}]}}"))
        .isEqualTo(
            yaml(
                "{spec: {ports: [{name: grpc, port: 1, protocol: TCP, targetPort: 2}, {port: 3}]}}"));
  }

  @Test
  void otherListsAreOneValue() throws Exception {
    assertThat(
            merged(
                "{tolerations: [{key: a}], args: [x, y], capabilities: {drop: [ALL]}}",
                "{tolerations: [{key: b}], args: [z], capabilities: {drop: [NET_RAW]}}"))
        .isEqualTo(yaml("{tolerations: [{key: b}], args: [z], capabilities: {drop: [NET_RAW]}}"));
  }

  @Test
  void itemsKeepTheirOrderAndNewOnesFollow() throws Exception {
    JsonNode result =
        merged(
            "{initContainers: [{name: bootstrap}, {name: fetch}]}",
            "{$setElementOrder/initContainers: [{name: mine}, {name: fetch}],"
                + " initContainers: [{name: mine}, {name: fetch, tty: true}]}");
    assertThat(Given.names(result.path("initContainers")))
        .containsExactly("bootstrap", "fetch", "mine");
    assertThat(result.has("$setElementOrder/initContainers")).isFalse();
  }

  @Test
  void theSameKeyTwiceInAPatchIsOneItem() throws Exception {
    assertThat(merged("{}", "{env: [{name: A, value: x}, {name: A, value: z}]}"))
        .isEqualTo(yaml("{env: [{name: A, value: z}]}"));
  }

  @Test
  void anItemOrAnObjectCanBeDeleted() throws Exception {
    assertThat(
            merged(
                "{volumes: [{name: a}, {name: b}], affinity: {x: 1}, keep: 1}",
                "{volumes: [{name: a, $patch: delete}, {name: none, $patch: delete}],"
                    + " affinity: {$patch: delete}}"))
        .isEqualTo(yaml("{volumes: [{name: b}], keep: 1}"));
  }

  @Test
  void anObjectAnItemOrAWholeListCanBeReplaced() throws Exception {
    assertThat(
            merged(
                "{securityContext: {a: 1}, env: [{name: A, value: x}], volumes: [{name: a, emptyDir: {}}]}",
                "{securityContext: {$patch: replace, b: 2}, env: [{name: B}, {$patch: replace}, {name: C}],"
                    + " volumes: [{name: a, $patch: replace, secret: {secretName: s}}]}"))
        .isEqualTo(
            yaml(
                "{securityContext: {b: 2}, env: [{name: B}, {name: C}],"
                    + " volumes: [{name: a, secret: {secretName: s}}]}"));
  }

  @Test
  void retainKeysDropsWhatIsNotNamed() throws Exception {
    assertThat(
            merged(
                "{volumes: [{name: a, emptyDir: {}}]}",
                "{volumes: [{name: a, $retainKeys: [name, secret], secret: {secretName: s}}]}"))
        .isEqualTo(yaml("{volumes: [{name: a, secret: {secretName: s}}]}"));
  }

  @Test
  void valuesOfAPlainListCanBeRemoved() throws Exception {
    assertThat(merged("{finalizers: [a, b, c]}", "{$deleteFromPrimitiveList/finalizers: [b]}"))
        .isEqualTo(yaml("{finalizers: [a, c]}"));
    assertThat(merged("{finalizers: [a, b]}", "{finalizers: [b, c]}"))
        .isEqualTo(yaml("{finalizers: [a, b, c]}"));
  }

  @Test
  void anAbsentPatchChangesNothing() throws Exception {
    ObjectNode object = (ObjectNode) yaml("{a: 1}");
    StrategicMerge.merge(object, object.path("absent"), "t");
    StrategicMerge.merge(object, object.nullNode(), "t");
    assertThat(object).isEqualTo(yaml("{a: 1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]                            | t is a list: give an object",
        "{spec: {containers: {}}}       | t.spec.containers is an object: give a list",
        "{spec: {containers: text}}     | t.spec.containers is a text: give a list",
        "{spec: {nodes: [x]}}           | t.spec.nodes is a list: give an object",
        "{spec: {containers: [{}]}}     | t.spec.containers[0].name is missing: give it: items of this list are told apart by it",
        "{spec: {containers: [5]}}      | t.spec.containers[0] is a number: give an object",
        "{spec: {containers: [{name: a, ports: [{name: p}]}]}} | t.spec.containers[0].ports[0].containerPort is missing: give it: items of this list are told apart by it",
        "{spec: {$patch: remove}}       | t.spec.$patch is no known directive: use merge, replace or delete",
        "{spec: {$deletes: 1}}          | t.spec.$deletes is no known directive: use $patch, $retainKeys, $deleteFromPrimitiveList or $setElementOrder",
        "{spec: {$retainKeys: a}}       | t.spec.$retainKeys is a text: give a list of field names",
        "{spec: {$deleteFromPrimitiveList/a: b}} | t.spec.$deleteFromPrimitiveList/a is a text: give the list of values to remove",
      })
  void aPatchThatCannotBeMergedIsRefusedWithItsPlace(String patch, String message) {
    assertThatThrownBy(() -> merged("{spec: {containers: [{name: a}], nodes: {x: 1}}}", patch))
        .isInstanceOf(SpecInvalid.class)
        .hasMessage(message);
  }

  private static JsonNode merged(String target, String patch) throws SpecInvalid {
    ObjectNode object = (ObjectNode) yaml(target);
    StrategicMerge.merge(object, yaml(patch), "t");
    return object;
  }

  private static JsonNode yaml(String text) {
    return Given.yaml(text);
  }
}
