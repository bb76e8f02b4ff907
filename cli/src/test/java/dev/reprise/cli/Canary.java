package dev.reprise.cli;

import com.google.common.collect.ImmutableSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One text for each place where a user can put something that is nobody else's business, and where
 * else it may be seen. The user's own objects, that is Secrets, ConfigMaps and the spec, are not
 * looked at; neither are files that only their owner can read, as long as {@link PrivacyTest} knows
 * them.
 */
enum Canary {
  SECRETS_REF(Surface.RESULT),
  SECRETS_REF_LITERAL,
  SECRETS,
  ENV_SECRETS,
  ENV_REFS_SECRET,
  ENV_REFS_LITERAL,
  ACCESS_TOKEN,
  BACKEND_PASSWORD,
  GIT_USER,
  GIT_PASSWORD,
  GIT_TOKEN,
  GIT_ADDRESS,
  CONFIG(Surface.PROGRAM_LOG),
  CONFIG_REF(Surface.PROGRAM_LOG),
  ENVS(Surface.PROGRAM_LOG),
  ENVIRONMENT,
  WORKSPACE_ENV,
  UPDATE_MESSAGE,
  ANNOTATION,
  INVALID_CONFIG,
  PROGRAM_TEXT,
  OUTPUT_OF_SUCCESS(Surface.PROGRAM_LOG),
  SECRET_OUTPUT(Surface.RESULT),
  NESTED_SECRET_OUTPUT(Surface.RESULT),
  OUTPUT(Surface.RESULT, Surface.STATUS),
  /** What a failed program printed and is no secret: shown, or nobody could mend the program. */
  FAILURE_TEXT(
      Surface.RESULT,
      Surface.STATUS,
      Surface.HISTORY,
      Surface.DESCRIPTION,
      Surface.EVENTS,
      Surface.SCREEN,
      Surface.PROGRAM_LOG);

  /** Where something can be seen. */
  enum Surface {
    /** All events of all runs in Temporal. */
    HISTORY,
    /**
     * What Temporal tells of a run now: search attributes, memo, heartbeats, answers to queries.
     */
    DESCRIPTION,
    /** Stack objects but for their spec and the annotations their users wrote. */
    STATUS,
    /** Kubernetes events. */
    EVENTS,
    /** The Secrets with results. */
    RESULT,
    /** The logs of worker, watcher and agents, at the level of debugging. */
    LOG,
    /** Metrics. */
    METRICS,
    /** What commands print. */
    SCREEN,
    /** What the last program printed, as its agent keeps it: all but secrets. */
    PROGRAM_LOG,
    /** The arguments of processes. */
    ARGUMENTS,
    /** Files that not only their owner can read, or that are not known to hold such things. */
    FILES
  }

  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{16,}={0,2}");
  private static final int DEEPEST = 3;

  private final ImmutableSet<Surface> allowed;

  Canary(Surface... allowed) {
    this.allowed = ImmutableSet.copyOf(allowed);
  }

  /**
   * Letters and digits only, so that no quoting changes it; none is part of another one, thanks to
   * the last.
   */
  String text() {
    return "canary" + name().toLowerCase(Locale.ROOT).replace("_", "") + "z";
  }

  boolean allowedIn(Surface surface) {
    return allowed.contains(surface);
  }

  /** The canaries in some bytes: as they are, or in base64, also several times over. */
  static Set<Canary> in(byte[] bytes) {
    return in(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** The canaries in a text, see {@link #in(byte[])}. */
  static Set<Canary> in(String text) {
    Set<Canary> found = EnumSet.noneOf(Canary.class);
    List<String> texts = new ArrayList<>(List.of(text));
    for (int depth = 0; depth < DEEPEST; depth++) {
      for (String each : texts) {
        Arrays.stream(values()).filter(canary -> each.contains(canary.text())).forEach(found::add);
      }
      texts = texts.stream().flatMap(each -> decoded(each).stream()).toList();
    }
    return found;
  }

  private static List<String> decoded(String text) {
    List<String> decoded = new ArrayList<>();
    Matcher matcher = BASE64.matcher(text);
    while (matcher.find()) {
      String run = matcher.group().replace("=", "");
      // Where it begins is not known when it stands within other letters.
      for (int start = 0; start < 4; start++) {
        // One letter alone is no byte.
        int end = run.length() - ((run.length() - start) % 4 == 1 ? 1 : 0);
        decoded.add(
            new String(
                Base64.getDecoder().decode(run.substring(start, end)),
                StandardCharsets.ISO_8859_1));
      }
    }
    return decoded;
  }
}
