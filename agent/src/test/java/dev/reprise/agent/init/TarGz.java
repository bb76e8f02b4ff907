package dev.reprise.agent.init;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A tar.gz file in the making, also of what well-behaved programs do not write. */
final class TarGz {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip(bytes));

  private static GZIPOutputStream gzip(ByteArrayOutputStream bytes) {
    try {
      return new GZIPOutputStream(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  TarGz file(String name, String content, int mode) throws IOException {
    return file(name, content.getBytes(StandardCharsets.UTF_8), mode);
  }

  TarGz file(String name, byte[] content, int mode) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setMode(mode);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
    return this;
  }

  TarGz folder(String name) throws IOException {
    tar.putArchiveEntry(new TarArchiveEntry(name + "/"));
    tar.closeArchiveEntry();
    return this;
  }

  TarGz link(String name, String target) throws IOException {
    return special(name, target, TarConstants.LF_SYMLINK);
  }

  TarGz special(String name, String target, byte type) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, type, true);
    entry.setLinkName(target);
    tar.putArchiveEntry(entry);
    tar.closeArchiveEntry();
    return this;
  }

  byte[] bytes() throws IOException {
    tar.close();
    return bytes.toByteArray();
  }

  static String digest(byte[] content) throws NoSuchAlgorithmException {
    return "sha256:"
        + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
