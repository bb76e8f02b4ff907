package dev.reprise.dev.kube;

import dev.reprise.dev.KeptStateException;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the objects of a store in a file of JSON lines, one per change, so that they outlive the
 * process. A change is with the operating system before anybody is told of it, so a killed process
 * loses nothing that was answered; nothing is synced to the disk, so a power cut may. The file is
 * rewritten with the living objects only at each start and whenever it has grown too long.
 */
final class ObjectLog implements AutoCloseable {
  static final String FORMAT = "reprise-objects/1";
  static final String PUT = "put";
  static final String DELETE = "delete";

  /** Below this many bytes a rewrite is not worth it. */
  static final long SMALL = 1 << 20;

  /** Covers what a process may have handed out without being able to write it. */
  static final long REVISION_GAP = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(ObjectLog.class);

  /** A log is too long when it is so many times its size after the last rewrite. */
  private static final int GROWTH = 4;

  private final Path file;
  private final ObjectStore store;
  private final FileChannel lock;
  private OutputStream out = OutputStream.nullOutputStream();
  private long size;
  private long longest;
  private boolean behind;

  private ObjectLog(Path file, ObjectStore store, FileChannel lock) {
    this.file = file;
    this.store = store;
    this.lock = lock;
  }

  /**
   * Brings the objects that a file keeps into an empty store. From now on {@link #onChange} must
   * hear of each change.
   *
   * @param file made with mode 0600 when it is not there; a file beside it, with {@code .lock}
   *     added to the name, tells other processes that it is in use
   * @throws KeptStateException when it cannot be read or written, or another process uses it
   */
  static ObjectLog open(Path file, ObjectStore store) {
    ObjectLog log = new ObjectLog(file, store, lock(file));
    try {
      if (Files.exists(file)) {
        KeptObjects kept = KeptObjects.read(file);
        store.restore(kept.objects(), kept.revision() + REVISION_GAP);
      }
      log.rewrite();
      return log;
    } catch (IOException e) {
      log.close();
      throw unusable(file, e);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static FileChannel lock(Path file) {
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      FileChannel channel =
          FileChannel.open(
              file.resolveSibling(file.getFileName() + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new KeptStateException(
            file,
            "%s is in use by another process; end that one or choose another folder for the state"
                .formatted(file));
      }
      return channel;
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static KeptStateException unusable(Path file, IOException cause) {
    return new KeptStateException(
        file, "the embedded cluster cannot be kept in %s: %s".formatted(file, cause), cause);
  }

  /**
   * Writes one change. A disk that refuses it does not stop the cluster: the whole state is tried
   * again with the next change.
   */
  void onChange(Change change) {
    try {
      if (behind) {
        rewrite();
        LOG.info("the embedded cluster is kept in {} again", file);
        return;
      }
      String op = change.kind() == Change.Kind.DELETED ? DELETE : PUT;
      byte[] line = line(op, change.resource(), change.object());
      out.write(line);
      size += line.length;
      if (size > longest) {
        rewrite();
      }
    } catch (IOException e) {
      if (!behind) {
        LOG.error(
            "{} cannot be written; what changes from now on is lost with this process", file, e);
      }
      behind = true;
    }
  }

  /** Replaces the file, in one step, by one that holds each living object once. */
  private void rewrite() throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    Files.createFile(
        next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    long written = 0;
    OutputStream fresh = new FileOutputStream(next.toFile(), true);
    try {
      OutputStream buffer = new BufferedOutputStream(fresh, 1 << 16);
      byte[] header = bytes(Json.object().put("format", FORMAT).put("revision", store.revision()));
      buffer.write(header);
      written += header.length;
      for (String resource : store.resources()) {
        for (ObjectNode object : store.list(resource, "")) {
          byte[] line = line(PUT, resource, object);
          buffer.write(line);
          written += line.length;
        }
      }
      buffer.flush();
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    OutputStream old = out;
    out = fresh;
    size = written;
    longest = Math.max(SMALL, GROWTH * written);
    behind = false;
    old.close();
  }

  private static byte[] line(String op, String resource, ObjectNode object) {
    ObjectNode entry = Json.object().put("op", op).put("resource", resource);
    entry.set("object", object);
    return bytes(entry);
  }

  private static byte[] bytes(ObjectNode node) {
    return (Json.write(node) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Lets go of the file. */
  @Override
  public void close() {
    try (lock) {
      out.close();
    } catch (IOException e) {
      LOG.warn("{} was not closed", file, e);
    }
  }
}
