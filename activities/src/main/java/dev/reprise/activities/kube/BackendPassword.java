package dev.reprise.activities.kube;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Backends such as {@code postgres://user:password@host/database} carry a password. */
final class BackendPassword {
  private static final Pattern USER_INFO = Pattern.compile("^[^:/?#]+://[^:/?#@]*:([^/?#]+)@");

  private BackendPassword() {}

  /** As it is written, and as it is meant; none for an address without one. */
  static Set<String> of(String backend) {
    Matcher matcher = USER_INFO.matcher(backend);
    Set<String> forms = new LinkedHashSet<>();
    if (matcher.find()) {
      MatchResult found = matcher.toMatchResult();
      String written = String.valueOf(found.group(1));
      forms.add(written);
      forms.add(decoded(written));
    }
    return forms;
  }

  private static String decoded(String written) {
    try {
      return URLDecoder.decode(written.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return written;
    }
  }
}
