package dev.reprise.agent.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whom to trust over https: those whom Java trusts, and those in a file of the user's. */
public final class Certificates {
  /** The variable with the file, in PEM format; other tools read the same one. */
  public static final String FILE = "SSL_CERT_FILE";

  private Certificates() {}

  /**
   * Makes this process trust the certificates of the file that the environment names, beside
   * Java's; does nothing if it names none.
   *
   * @throws IOException if the file cannot be read as certificates
   */
  public static void trust(Map<String, String> environment) throws IOException {
    String file = environment.getOrDefault(FILE, "").strip();
    if (!file.isEmpty()) {
      try {
        SSLContext.setDefault(besideJavas(Path.of(file)));
      } catch (IOException e) {
        throw new IOException(FILE + ": " + e.getMessage(), e);
      }
    }
  }

  /** What to say after a failure in which certificates may have a part; empty if they have none. */
  public static String hint(Throwable failure) {
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SSLException) {
        return "; if the host has certificates of your own, name the file with them in " + FILE;
      }
    }
    return "";
  }

  /**
   * For connections to hosts with certificates that go back to those of a file, and no others.
   *
   * @throws IOException if it cannot be read
   */
  public static SSLContext only(Path file) throws IOException {
    return context(file, new X509Certificate[0]);
  }

  static SSLContext besideJavas(Path file) throws IOException {
    try {
      return context(file, javasOwn());
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificates that Java trusts cannot be read", e);
    }
  }

  private static SSLContext context(Path file, X509Certificate... more) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate own : more) {
        store.setCertificateEntry("own-" + number++, own);
      }
      for (Certificate given : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("given-" + number++, given);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException(file + " cannot be read as certificates in PEM format", e);
    }
  }

  private static X509Certificate[] javasOwn() throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init((KeyStore) null);
    for (TrustManager manager : trust.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return x509.getAcceptedIssuers();
      }
    }
    return new X509Certificate[0];
  }
}
