package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.crd.CompatibleFields;
import dev.reprise.stack.crd.CompatibleFields.Field;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every compatible field is read, or told to have no effect, and has its row on the page. */
class CompatibleFieldsTest {
  private static final Set<String> WORDS =
      Set.of("supported", "pods", "no effect", "not read", "refused", "written", "read", "stored");

  private record Row(String path, String word, String text, String test) {}

  private final List<Row> page = page();

  @Test
  void everyFieldOfASpecHasItsPlaceInTheRecords() {
    Set<String> read = new TreeSet<>();
    walk("spec", StackSpec.class, read);
    List<String> wanted =
        CompatibleFields.all().stream()
            .filter(field -> field.kind().equals("Stack"))
            .map(Field::path)
            .filter(path -> path.startsWith("spec."))
            .filter(path -> !path.matches("spec\\.(workspace|update)Template\\..*"))
            .toList();

    assertThat(wanted).hasSizeGreaterThan(60);
    assertThat(read).containsAll(wanted);
  }

  @Test
  void everyFieldHasOneRowOnThePage() {
    assertThat(page)
        .extracting(Row::path)
        .containsExactlyInAnyOrderElementsOf(
            CompatibleFields.all().stream().map(Field::path).toList());
    assertThat(page)
        .allSatisfy(
            row -> {
              assertThat(row.word()).isIn(WORDS);
              assertThat(row.text()).as(row.path()).isNotBlank();
              assertThat(row.test()).matches("`[A-Za-z]+Test`");
            });
  }

  @Test
  void whatThePageSaysHasNoEffectIsWhatTheEventTells() {
    List<String> told = IgnoredField.always();

    assertThat(page.stream().filter(row -> row.word().equals("no effect")).map(Row::path))
        .containsAll(told)
        .allMatch(path -> told.stream().anyMatch(known -> (path + ".").startsWith(known + ".")));
  }

  private static void walk(String path, Class<?> type, Set<String> fields) {
    for (RecordComponent component : type.getRecordComponents()) {
      String field = path + "." + component.getName();
      fields.add(field);
      if (component.getType().isRecord()) {
        walk(field, component.getType(), fields);
      } else if (component.getGenericType() instanceof ParameterizedType generic) {
        Type element =
            generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
        if (element instanceof Class<?> below && below.isRecord()) {
          walk(field + (component.getType() == List.class ? "[]" : "{}"), below, fields);
        }
      }
    }
  }

  private static List<Row> page() {
    List<Row> rows = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("..", "docs", "fields.md"))) {
        if (line.startsWith("| `")) {
          List<String> cells = List.of(line.split("(?<!\\\\)\\|"));
          assertThat(cells).as(line).hasSize(5);
          String path = cells.get(1).strip();
          rows.add(
              new Row(
                  path.substring(1, path.length() - 1),
                  cells.get(2).strip(),
                  cells.get(3).strip(),
                  cells.get(4).strip()));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the page is part of the repository", e);
    }
    return rows;
  }
}
