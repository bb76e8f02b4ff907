package dev.reprise.cli;

import io.temporal.common.SearchAttributeKey;

/** Search attribute types by the words of the {@code temporal} program. */
final class SearchAttributeTypes {
  private SearchAttributeTypes() {}

  static String word(SearchAttributeKey<?> key) {
    return switch (key.getValueType()) {
      case INDEXED_VALUE_TYPE_KEYWORD -> "Keyword";
      case INDEXED_VALUE_TYPE_INT -> "Int";
      case INDEXED_VALUE_TYPE_DATETIME -> "Datetime";
      default -> throw new IllegalArgumentException(key + " has a type no attribute of ours has");
    };
  }
}
