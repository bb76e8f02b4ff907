package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * As whom a container runs, and what it may.
 *
 * @param uid its user
 * @param gid its group
 * @param groups further groups
 * @param capabilities those it may ever have, in the words of setpriv
 * @param mayGain whether programs may give it more
 * @param readOnlyRoot whether it may write only into volumes
 */
record Privileges(
    long uid,
    long gid,
    List<Long> groups,
    List<String> capabilities,
    boolean mayGain,
    boolean readOnlyRoot) {

  /** What container runtimes leave. */
  private static final List<String> USUAL =
      List.of(
          "chown",
          "dac_override",
          "fowner",
          "fsetid",
          "kill",
          "setgid",
          "setuid",
          "setpcap",
          "net_bind_service",
          "net_raw",
          "sys_chroot",
          "mknod",
          "audit_write",
          "setfcap");

  /**
   * The container's own settings over the pod's over the image's.
   *
   * @throws NotConfigured when it may not run as root and would
   */
  static Privileges of(PodSpec spec, Container container, Image image) {
    PodSecurityContext pod =
        Optional.ofNullable(spec.getSecurityContext())
            .orElseGet(() -> new PodSecurityContextBuilder().build());
    SecurityContext own =
        Optional.ofNullable(container.getSecurityContext())
            .orElseGet(() -> new SecurityContextBuilder().build());
    long uid = first(own.getRunAsUser(), pod.getRunAsUser(), image.user().uid());
    long gid = first(own.getRunAsGroup(), pod.getRunAsGroup(), image.user().gid());
    if (Boolean.TRUE.equals(
            own.getRunAsNonRoot() == null ? pod.getRunAsNonRoot() : own.getRunAsNonRoot())
        && uid == 0) {
      throw new NotConfigured("container has runAsNonRoot and image will run as root");
    }
    List<Long> groups = new ArrayList<>(pod.getSupplementalGroups());
    if (pod.getFsGroup() != null) {
      groups.add(pod.getFsGroup());
    }
    return new Privileges(
        uid,
        gid,
        List.copyOf(groups),
        capabilities(own.getCapabilities()),
        !Boolean.FALSE.equals(own.getAllowPrivilegeEscalation()),
        Boolean.TRUE.equals(own.getReadOnlyRootFilesystem()));
  }

  private static long first(@Nullable Long own, @Nullable Long pod, long image) {
    return own != null ? own : pod != null ? pod : image;
  }

  private static List<String> capabilities(@Nullable Capabilities wanted) {
    TreeSet<String> left = new TreeSet<>(USUAL);
    if (wanted != null) {
      List<String> dropped = words(wanted.getDrop());
      if (dropped.contains("all")) {
        left.clear();
      }
      dropped.forEach(left::remove);
      left.addAll(words(wanted.getAdd()));
    }
    return List.copyOf(left);
  }

  private static List<String> words(List<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(Locale.ROOT).replaceFirst("^cap_", ""))
        .toList();
  }

  /** The command that gives up all else and goes on with the command that follows. */
  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add("/usr/bin/setpriv");
    command.add("--reuid=" + uid);
    command.add("--regid=" + gid);
    command.add(
        groups.isEmpty()
            ? "--clear-groups"
            : "--groups=" + String.join(",", groups.stream().map(String::valueOf).toList()));
    command.add("--inh-caps=-all");
    StringBuilder bounding = new StringBuilder("-all");
    capabilities.forEach(capability -> bounding.append(",+").append(capability));
    command.add("--bounding-set=" + bounding);
    // The kernel forgets this when the user changes, so it is said again here.
    command.add("--pdeathsig=KILL");
    if (!mayGain) {
      command.add("--no-new-privs");
    }
    return command;
  }
}
