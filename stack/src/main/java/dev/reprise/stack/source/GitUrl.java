package dev.reprise.stack.source;

import java.net.URISyntaxException;
import java.util.Locale;
import org.eclipse.jgit.transport.URIish;

/** The address of a git repository, and a form of it that shows no credentials. */
record GitUrl(Transport transport, String shown, URIish uri) {
  enum Transport {
    NETWORK,
    LOCAL,
    SSH,
    UNKNOWN
  }

  static GitUrl parse(String url) throws SourceUnavailable {
    try {
      URIish uri = new URIish(url);
      return new GitUrl(transport(uri), "git repository " + shown(uri), uri);
    } catch (URISyntaxException e) {
      // The exception quotes the address, which may hold a password.
      throw new SourceUnavailable("git repository", "has an address that is no URL: correct it");
    }
  }

  /** Whether two addresses lead to the same repository, whoever asks there. */
  static boolean same(String one, String other) {
    return place(one).equals(place(other));
  }

  /** Host and path: the same repository is cloned over https by one Stack, over ssh by another. */
  private static String place(String url) {
    try {
      URIish uri = new URIish(url);
      String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
      String path = uri.getPath() == null ? "" : uri.getPath();
      return host + "/" + path.replaceAll("^/+|(/|\\.git)+$", "");
    } catch (URISyntaxException e) {
      return url;
    }
  }

  private static Transport transport(URIish uri) {
    String scheme = uri.getScheme();
    if (scheme == null) {
      return uri.getHost() == null ? Transport.LOCAL : Transport.SSH;
    }
    return switch (scheme) {
      case "http", "https", "git" -> Transport.NETWORK;
      case "file" -> Transport.LOCAL;
      case "ssh", "git+ssh", "ssh+git" -> Transport.SSH;
      default -> Transport.UNKNOWN;
    };
  }

  private static String shown(URIish uri) {
    StringBuilder shown = new StringBuilder();
    if (uri.getScheme() != null) {
      shown.append(uri.getScheme()).append("://");
    }
    if (uri.getHost() != null) {
      shown.append(uri.getHost());
    }
    if (uri.getPort() > 0) {
      shown.append(':').append(uri.getPort());
    }
    String path = uri.getPath() == null ? "" : uri.getPath();
    int query = path.indexOf('?');
    return shown.append(query < 0 ? path : path.substring(0, query)).toString();
  }
}
