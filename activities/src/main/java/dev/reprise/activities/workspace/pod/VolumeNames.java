package dev.reprise.activities.workspace.pod;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Names of volumes after the objects in them. A volume's name is shorter than an object's may be,
 * and has no dots; where that matters it is cut and made unmistakable again.
 */
final class VolumeNames {
  private static final int LONGEST = 63;
  private static final int HASH = 8;
  private static final Pattern FITS = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

  private VolumeNames() {}

  static String of(String prefix, String object) {
    String name = prefix + object;
    if (name.length() <= LONGEST && FITS.matcher(name).matches()) {
      return name;
    }
    String hash =
        UUID.nameUUIDFromBytes(object.getBytes(StandardCharsets.UTF_8))
            .toString()
            .substring(0, HASH);
    String cut = name.replaceAll("[^a-z0-9]", "-");
    return cut.substring(0, Math.min(cut.length(), LONGEST - HASH - 1)) + "-" + hash;
  }
}
