package dev.reprise.e2e.world;

import java.util.StringJoiner;

/**
 * The manifest of a Stack as a user would write it: short cooldowns so that a test can wait for
 * them, and a volume with the journal.
 *
 * @param name of the Stack
 * @param source the fields that tell where its program is, as YAML
 * @param journal what its program writes to, and where a file backend keeps its state
 * @param fields more fields of the spec, as YAML
 */
public record StackManifest(String name, String source, ProgramJournal journal, String fields) {

  /** The YAML text. */
  public String yaml() {
    return """
    apiVersion: pulumi.com/v1
    kind: Stack
    metadata:
      name: %s
    spec:
      stack: dev
    %s  destroyOnFinalize: true
      %s
      envRefs:
        PULUMI_CONFIG_PASSPHRASE: {type: Literal, literal: {value: example}}
      backend: file://%s/state
    %s  workspaceTemplate:
        spec:
          podTemplate:
            spec:
              containers:
                - name: pulumi
                  volumeMounts: [{name: journal, mountPath: %s}]
              volumes:
                - name: journal
                  hostPath: {path: %s}
    """
        .formatted(
            name,
            indented(source),
            fields.contains("retry:") ? "" : "retry: {initialBackoffSeconds: 2}",
            ProgramJournal.MOUNT,
            indented(fields),
            ProgramJournal.MOUNT,
            journal.folder());
  }

  private static String indented(String fields) {
    StringJoiner lines = new StringJoiner("\n", "", fields.isBlank() ? "" : "\n");
    fields.stripTrailing().lines().forEach(line -> lines.add("  " + line));
    return lines.toString();
  }
}
