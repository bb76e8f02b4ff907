package dev.reprise.stack.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.status.RetryStatus.Attempt;
import dev.reprise.stack.status.RetryStatus.Looked;
import dev.reprise.stack.status.RetryStatus.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StatusTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private static final RetryStatus RETRY =
      new RetryStatus(
          3L,
          2L,
          4L,
          true,
          new Attempt(
              "destroy",
              7L,
              true,
              "again",
              "abc",
              "v1:k:00",
              "web-1f",
              "failed",
              "UpdateFailed",
              "boom",
              NOON.plusMillis(123)),
          new Attempt(
              "up", 7L, false, "", "abd", "v1:k:01", "web-2a", "", "", "", StackStatus.NO_TIME),
          NOON.plusSeconds(240),
          NOON.plusSeconds(600),
          "maintenance",
          true,
          "maintenance",
          new Request("try now", true, NOON),
          new Looked(8L, "again"),
          12L,
          "10s..300s limit 5");

  private static final StackStatus FULL =
      new StackStatus(
          Map.of("url", MAPPER.readTree("{\"a\":[\"\",null,0,{}]}")),
          new LastUpdate(
              7L, "again", "web-1f", "up", "failed", "boom", "abc", "aaa", "https://x", NOON, 3L),
          CurrentUpdate.NONE,
          7,
          "again",
          List.of(new Condition("Ready", "False", "NotReadyInProgress", "", 7L, NOON)),
          new ProjectInfo("shop", "yaml"),
          RETRY);

  private static StackStatus read(JsonNode json) {
    return StatusReader.read(json, Map.of());
  }

  @Test
  void whatIsWrittenIsReadBackTheSame() {
    assertThat(read(StatusJson.toJson(FULL))).isEqualTo(FULL);
  }

  @Test
  void timesAreWrittenInUtcWithWholeSeconds() {
    LastUpdate update =
        new LastUpdate(1L, "", "", "", "", "", "", "", "", NOON.plusNanos(999_000_001), 0L);
    StackStatus status =
        new StackStatus(
            Map.of(),
            update,
            CurrentUpdate.NONE,
            0,
            "",
            List.of(),
            ProjectInfo.NONE,
            RetryStatus.NONE);

    assertThat(StatusJson.toJson(status).at("/lastUpdate/lastResyncTime").asString())
        .isEqualTo("2026-03-01T12:00:00Z");
  }

  @Test
  void absentFieldsAreLeftOutAndNoneIsNull() {
    assertThat(StatusJson.toJson(StackStatus.NONE).toString()).isEqualTo("{}");
    RetryStatus first =
        new RetryStatus(
            0L,
            0L,
            1L,
            false,
            Attempt.NONE,
            Attempt.NONE,
            StackStatus.NO_TIME,
            Instant.EPOCH,
            "",
            false,
            "",
            Request.NONE,
            Looked.NONE,
            1L,
            "");
    assertThat(StatusJson.toJson(StackStatus.NONE.withRetry(first)).toString())
        .isEqualTo(
            "{\"retry\":{\"failures\":0,\"attempt\":1,"
                + "\"nextWakeTime\":\"1970-01-01T00:00:00Z\",\"sequence\":1}}");
  }

  @Test
  void theOperationInFlightIsReadButNeverWritten() {
    StackStatus status =
        read(MAPPER.readTree("{\"currentUpdate\":{\"name\":\"web-1\",\"generation\":3}}"));

    assertThat(status.currentUpdate()).isEqualTo(new CurrentUpdate(3L, "", "web-1", ""));
    assertThat(StatusJson.toJson(status).toString()).isEqualTo("{}");
  }

  @Test
  void theRetryRecordIsReadFromTheAnnotationOnlyWhereTheStatusHasNone() {
    String annotation = StatusJson.toAnnotation(RETRY);
    Map<String, String> annotations = Map.of(StatusReader.RETRY_STATE, annotation);

    assertThat(StatusReader.read(MAPPER.missingNode(), annotations).retry()).isEqualTo(RETRY);
    JsonNode field = MAPPER.readTree("{\"retry\":{\"sequence\":99}}");
    assertThat(StatusReader.read(field, annotations).retry().sequence()).isEqualTo(99);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not json",
        "[]",
        "null",
        "{\"failures\":\"many\"}",
        "{\"last\":[1]}",
        "{\"nextWakeTime\":\"soon\"}"
      })
  void garbageInTheAnnotationCountsAsAbsent(String annotation) {
    assertThat(
            StatusReader.read(MAPPER.missingNode(), Map.of(StatusReader.RETRY_STATE, annotation)))
        .isEqualTo(StackStatus.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "\"text\"",
        "{\"lastUpdate\":5,\"conditions\":\"x\",\"outputs\":[1],\"retry\":true}",
        "{\"lastUpdate\":{\"failures\":{}},\"observedGeneration\":\"x\",\"observedReconcileRequest\":[]}",
        "{\"conditions\":[1,{\"reason\":\"without type\"},{\"type\":[]}]}",
      })
  void garbageInTheStatusCountsAsAbsent(String json) {
    assertThat(read(MAPPER.readTree(json))).isEqualTo(StackStatus.NONE);
  }

  @Test
  void onePartThatCannotBeReadLeavesTheOthers() {
    StackStatus status =
        read(
            MAPPER.readTree(
                "{\"projectInfo\":[],\"lastUpdate\":{\"state\":\"failed\",\"failures\":2,\"unknown\":1}}"));

    assertThat(status.lastUpdate().failures()).isEqualTo(2);
    assertThat(status.projectInfo()).isEqualTo(ProjectInfo.NONE);
  }
}
