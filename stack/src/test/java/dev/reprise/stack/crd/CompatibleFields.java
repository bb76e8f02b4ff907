package dev.reprise.stack.crd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fields that existing manifests and readers use, from {@code fields.tsv}. */
public final class CompatibleFields {
  private static final String FILE = "fields.tsv";

  /** A field of a kind; the notes say "required", "enum a|b", "min 0" or "free-form". */
  public record Field(String kind, String path, String type, String notes) {}

  private CompatibleFields() {}

  /** All rows. */
  public static List<Field> all() {
    try (InputStream in = CompatibleFields.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(CompatibleFields::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Type and notes of every field of a kind by path, references written out field by field. */
  static SortedMap<String, String> of(String kind) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (Field field : all()) {
      if (field.kind().equals(kind)) {
        add(field, fields);
      }
    }
    return fields;
  }

  private static void add(Field field, SortedMap<String, String> fields) {
    for (String reference : List.of("ResourceRef", "SecretKeySelector")) {
      if (field.type().endsWith(reference)) {
        String path = field.path() + (field.type().startsWith("map") ? "{}" : "");
        of(reference).forEach((below, type) -> fields.put(path + "." + below, type));
      }
    }
    String type = field.type().replaceFirst("ResourceRef|SecretKeySelector", "object");
    fields.put(field.path(), (type + " " + field.notes()).strip());
  }

  private static Field parse(String line) {
    List<String> cells = List.of(line.split("\t"));
    return new Field(
        cells.get(0), cells.get(1), cells.get(2), cells.size() > 3 ? cells.get(3) : "");
  }
}
