package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRevisionTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final LocalRevision revisions = new LocalRevision(InstantSource.fixed(NOW));

  @TempDir private Path dir;

  @BeforeEach
  void program() throws IOException {
    write("up", "#!/bin/sh\n");
    write("lib/a.txt", "one");
    write("lib/b.txt", "two");
  }

  @Test
  void theSameFilesGiveTheSameRevisionWhereverTheyLie(@TempDir Path elsewhere)
      throws IOException, SourceUnavailable {
    Files.createDirectory(elsewhere.resolve("lib"));
    for (String file : new String[] {"lib/b.txt", "up", "lib/a.txt"}) {
      Files.copy(dir.resolve(file), elsewhere.resolve(file));
    }

    assertThat(revisions.of(dir))
        .matches("sha256:[0-9a-f]{64}")
        .isEqualTo(revisions.of(dir))
        .isEqualTo(revisions.of(elsewhere));
  }

  @Test
  void contentsNamesModesAndLinksCount() throws IOException, SourceUnavailable {
    String before = revisions.of(dir);
    write("lib/a.txt", "One");
    String edited = revisions.of(dir);
    Files.move(dir.resolve("lib/b.txt"), dir.resolve("lib/c.txt"));
    String renamed = revisions.of(dir);
    assertThat(dir.resolve("up").toFile().setExecutable(true)).isTrue();
    String executable = revisions.of(dir);
    Files.createSymbolicLink(dir.resolve("link"), Path.of("lib"));
    String linked = revisions.of(dir);
    Files.delete(dir.resolve("link"));
    Files.createSymbolicLink(dir.resolve("link"), Path.of("up"));
    String relinked = revisions.of(dir);
    Files.delete(dir.resolve("link"));

    assertThat(new String[] {before, edited, renamed, executable, linked, relinked})
        .doesNotHaveDuplicates();
    assertThat(revisions.of(dir)).isEqualTo(executable);
  }

  @Test
  void whatMovesFromAFileToItsNeighbourCounts() throws IOException, SourceUnavailable {
    String before = revisions.of(dir);
    write("lib/a.txt", "onetwo");
    write("lib/b.txt", "");

    assertThat(revisions.of(dir)).isNotEqualTo(before);
  }

  @Test
  void gitAndOurOwnFoldersAndEmptyOnesDoNotCount() throws IOException, SourceUnavailable {
    String before = revisions.of(dir);
    write(".git/HEAD", "ref");
    write("lib/.git", "gitdir: elsewhere");
    write(".reprise/journal", "line");
    Files.createDirectory(dir.resolve("empty"));

    assertThat(revisions.of(dir)).isEqualTo(before);
  }

  @Test
  void whatAnOperationWritesDoesNotCauseTheNextOne() throws IOException, SourceUnavailable {
    String before = revisions.of(dir);
    write("Pulumi.dev.yaml", "encryptionsalt: v1");
    write("node_modules/left-pad/index.js", "module.exports = 1");
    write("lib/__pycache__/a.pyc", "bytes");
    write("venv/bin/python", "link");
    write("outputs.json", "{}");
    assertThat(revisions.of(dir)).isEqualTo(before);

    write("lib/outputs.json", "{}");
    String nested = revisions.of(dir);
    write("Pulumi.yaml", "name: web");
    assertThat(new String[] {before, nested, revisions.of(dir)}).doesNotHaveDuplicates();
  }

  @Test
  void aLinkThatLeadsBackIsNotFollowed() throws IOException, SourceUnavailable {
    Files.createSymbolicLink(dir.resolve("lib/again"), dir);

    assertThat(revisions.of(dir)).startsWith("sha256:");
  }

  @Test
  void anEditOfTheSameSizeIsSeenWhenTheTimeMovedOrIsRecent() throws IOException, SourceUnavailable {
    age("lib/a.txt", NOW.minusSeconds(60));
    String before = revisions.of(dir);
    write("lib/a.txt", "eno");
    age("lib/a.txt", NOW.minusSeconds(1));
    String edited = revisions.of(dir);
    write("lib/a.txt", "neo");
    age("lib/a.txt", NOW.minusSeconds(1));

    assertThat(edited).isNotEqualTo(before);
    assertThat(revisions.of(dir)).isNotEqualTo(edited);
  }

  @Test
  void aSettledFileIsNotReadAgain() throws IOException, SourceUnavailable {
    age("lib/a.txt", NOW.minusSeconds(60));
    String before = revisions.of(dir);
    write("lib/a.txt", "eno");
    age("lib/a.txt", NOW.minusSeconds(60));

    assertThat(revisions.of(dir)).isEqualTo(before);
    assertThat(new LocalRevision(InstantSource.fixed(NOW)).of(dir)).isNotEqualTo(before);
  }

  @Test
  void tooManyFilesOrBytesAreAClearError() throws SourceUnavailable {
    assertThat(new LocalRevision(InstantSource.fixed(NOW), 3, 16).of(dir)).isNotEmpty();
    assertThatThrownBy(() -> new LocalRevision(InstantSource.fixed(NOW), 2, 16).of(dir))
        .isInstanceOf(SourceUnavailable.class)
        .hasMessageContaining("holds more than 2 files or 16 bytes: move what");
    assertThatThrownBy(() -> new LocalRevision(InstantSource.fixed(NOW), 3, 15).of(dir))
        .hasMessageContaining("holds more than 3 files or 15 bytes");
  }

  @Test
  void aFileThatVanishesDuringTheWalkDoesNotCount() throws IOException, SourceUnavailable {
    DirectoryWalk walk = new DirectoryWalk(dir, Map.of(), 10, 100);
    BasicFileAttributes attributes =
        Files.readAttributes(dir.resolve("up"), BasicFileAttributes.class);

    assertThat(walk.visitFile(dir.resolve("vanished"), attributes))
        .isEqualTo(FileVisitResult.CONTINUE);
    assertThat(walk.entries()).containsOnlyKeys("up", "lib/a.txt", "lib/b.txt");
  }

  @Test
  void aMissingFolderIsNamed() {
    Path missing = dir.resolve("nowhere");

    assertThatThrownBy(() -> revisions.of(missing))
        .isInstanceOf(SourceUnavailable.class)
        .hasMessage("folder " + missing + " does not exist or is no folder");
  }

  private void write(String file, String text) throws IOException {
    Path path = dir.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void age(String file, Instant time) throws IOException {
    Files.setLastModifiedTime(dir.resolve(file), FileTime.from(time));
  }
}
