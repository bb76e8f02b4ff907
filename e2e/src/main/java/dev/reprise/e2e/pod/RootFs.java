package dev.reprise.e2e.pod;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file system of one container, as the shell commands that make it within the container's own
 * mount namespace, so that it ends with the container. It is this machine's, with changes in
 * memory, and under it the image's layers and the pod's volumes.
 *
 * @param folder an empty folder of this machine for its mounts
 * @param hostname the pod's name for itself
 * @param nameserver the resolver's address
 * @param namespace where the resolver looks first
 * @param podIp the pod's address
 */
record RootFs(Path folder, String hostname, String nameserver, String namespace, String podIp) {

  /**
   * Something seen inside.
   *
   * @param source a file or folder of this machine
   * @param target its absolute path inside
   * @param readOnly whether it may not be changed from inside
   */
  record Bind(Path source, String target, boolean readOnly) {}

  /**
   * The script. It ends by running its arguments.
   *
   * @param image binds that lie under the volumes
   * @param volumes binds of the pod, outer ones first
   * @param home a folder that the container's user owns when this machine has none of that name
   * @param workingDir made when it is not there
   */
  String script(
      List<Bind> image, List<Bind> volumes, String home, String workingDir, Privileges privileges) {
    List<String> lines = new ArrayList<>(List.of("set -e", "cd " + quoted(folder.toString())));
    lines.add("mount -t tmpfs -o mode=755 none .");
    // Relative names must be looked up again inside what was just mounted.
    lines.add("cd " + quoted(folder.toString()));
    lines.add("mkdir upper work root");
    // Marks this machine's as deleted, so that the container has an empty one of its own.
    lines.add("mknod upper/tmp c 0 0");
    lines.add("mount -t overlay none -o lowerdir=/,upperdir=$PWD/upper,workdir=$PWD/work root");
    // From here on names are looked up inside, links included; this machine is under /.host.
    lines.add("cd root");
    lines.add("mkdir .host");
    lines.add("pivot_root . .host");
    lines.add("cd /");
    lines.add("mount -t proc none /proc");
    lines.add("mount --rbind /.host/sys /sys");
    lines.add("mount --rbind /.host/dev /dev");
    lines.add("mount -t tmpfs -o mode=1777 none /dev/shm");
    lines.add("mkdir -m 1777 /tmp");
    image.forEach(bind -> lines.addAll(bound(bind)));
    lines.addAll(names());
    lines.add(
        "[ -d %1$s ] || { mkdir -p %1$s && chown %2$d:%3$d %1$s; }"
            .formatted(quoted(home), privileges.uid(), privileges.gid()));
    volumes.forEach(bind -> lines.addAll(bound(bind)));
    lines.add("mkdir -p " + quoted(workingDir));
    lines.add("umount -l /.host");
    lines.add("rmdir /.host");
    if (privileges.readOnlyRoot()) {
      lines.add("mount -o remount,ro /");
    }
    lines.add("exec \"$@\"");
    return String.join("\n", lines) + "\n";
  }

  private List<String> names() {
    return List.of(
        "echo " + quoted(hostname) + " >/proc/sys/kernel/hostname",
        "rm -f /etc/resolv.conf /etc/hosts /etc/hostname",
        "echo " + quoted(hostname) + " >/etc/hostname",
        "printf '127.0.0.1 localhost\\n%s %s\\n' "
            + podIp
            + " "
            + quoted(hostname)
            + " >/etc/hosts",
        "echo "
            + quoted(
                "nameserver "
                    + nameserver
                    + "\nsearch "
                    + namespace
                    + ".svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5")
            + " >/etc/resolv.conf");
  }

  private static List<String> bound(Bind bind) {
    String target = quoted(bind.target());
    List<String> lines = new ArrayList<>();
    if (Files.isDirectory(bind.source())) {
      lines.add("mkdir -p " + target);
    } else {
      lines.add("mkdir -p \"$(dirname " + target + ")\"");
      lines.add("[ -e " + target + " ] || : >" + target);
    }
    lines.add("mount --bind " + quoted("/.host" + bind.source().toAbsolutePath()) + " " + target);
    if (bind.readOnly()) {
      lines.add("mount -o remount,bind,ro " + target);
    }
    return lines;
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
