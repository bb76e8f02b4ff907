package dev.reprise.stack;

import dev.reprise.stack.spec.IdlePolicy;
import dev.reprise.stack.spec.IgnoredField;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SameRevisionAnnotation;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.stack.status.StatusReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads Stacks from generic resources, one at a time. */
public final class StackReader {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  // Names of the objects made for a Stack are its name and a suffix, and must stay within 63
  // characters.
  private static final int LONGEST_NAME = 42;

  // The token is kept in three places of the status, and in every look's history.
  private static final int LONGEST_TOKEN = 1_024;

  private static final int LONGEST_PAUSE = 300;

  /** What {@link #retryPolicy} gives for a Stack that cannot be read. */
  public static final String INVALID = "invalid";

  /**
   * With the value {@code ignore}, what is read from referenced Secrets and ConfigMaps is used by
   * the next attempt but never starts one.
   */
  public static final String INPUTS = "reprise.dev/inputs";

  private static final String IGNORE = "ignore";

  private final Policy defaults;

  /**
   * Makes a reader.
   *
   * @param defaults the policy of a Stack that asks for nothing of its own
   */
  public StackReader(Policy defaults) {
    this.defaults = defaults;
  }

  /**
   * Reads a Stack.
   *
   * @throws SpecInvalid when its name, its spec or an annotation of ours is wrong; {@link
   *     #identity} and {@link #status} still work
   */
  public Stack read(GenericKubernetesResource resource) throws SpecInvalid {
    StackIdentity identity = identity(resource);
    if (identity.name().length() > LONGEST_NAME) {
      throw new SpecInvalid(
          "metadata.name",
          "has " + identity.name().length() + " characters",
          "use at most " + LONGEST_NAME);
    }
    inputsPolicy(resource);
    JsonNode fields = SameRevisionAnnotation.into(field(resource, "spec"), annotations(resource));
    StackSpec spec = SpecReader.read(fields, identity.namespace());
    Policy policy = Policy.of(spec, annotations(resource), defaults);
    IdlePolicy.of(spec, annotations(resource));
    return new Stack(identity, spec, policy, status(resource));
  }

  /** Whether a change of the Stack's referenced configuration and secrets starts nothing. */
  public static boolean ignoresInputs(GenericKubernetesResource resource) {
    return annotations(resource).getOrDefault(INPUTS, "").equals(IGNORE);
  }

  private static void inputsPolicy(GenericKubernetesResource resource) throws SpecInvalid {
    String value = annotations(resource).getOrDefault(INPUTS, IGNORE);
    if (!value.equals(IGNORE)) {
      throw new SpecInvalid(
          "metadata.annotations[" + INPUTS + "]",
          "has a value that means nothing",
          "use \"" + IGNORE + "\", or leave the annotation out");
    }
  }

  /**
   * What becomes of its workspace while it is idle.
   *
   * @param spec its spec, as {@link #read} gives it
   * @throws SpecInvalid when the annotation that asks for it is wrong
   */
  public static IdlePolicy idlePolicy(StackSpec spec, GenericKubernetesResource resource)
      throws SpecInvalid {
    return IdlePolicy.of(spec, annotations(resource));
  }

  /**
   * Reads as much of a Stack as its deletion needs: what is wrong in its spec counts as absent, and
   * a policy that cannot be read is the default.
   *
   * @throws SpecInvalid when not even the Pulumi stack is named
   */
  public Stack readForDeletion(GenericKubernetesResource resource) throws SpecInvalid {
    StackSpec spec = SpecReader.readLeniently(field(resource, "spec"));
    return new Stack(identity(resource), spec, policyOf(spec, resource), status(resource));
  }

  /**
   * How the Stack asks to be retried, with the defaults, in the words of the status; {@link
   * #INVALID} when {@link #read} refuses it.
   */
  public String retryPolicy(GenericKubernetesResource resource) {
    try {
      return read(resource).policy().retryInShort();
    } catch (SpecInvalid e) {
      return INVALID;
    }
  }

  private Policy policyOf(StackSpec spec, GenericKubernetesResource resource) {
    try {
      return Policy.of(spec, annotations(resource), defaults);
    } catch (SpecInvalid e) {
      return defaults;
    }
  }

  /** Reads what identifies a Stack; works for any object, whatever its spec holds. */
  public static StackIdentity identity(GenericKubernetesResource resource) {
    ObjectMeta meta = metadata(resource);
    Map<String, String> annotations = annotations(resource);
    List<String> finalizers = meta.getFinalizers();
    Long generation = meta.getGeneration();
    return new StackIdentity(
        text(meta.getNamespace()),
        text(meta.getName()),
        text(meta.getUid()),
        generation == null ? 0 : generation,
        text(meta.getResourceVersion()),
        !text(meta.getDeletionTimestamp()).isEmpty(),
        finalizers != null && finalizers.contains(StackIdentity.FINALIZER),
        token(text(annotations.get(StackIdentity.RECONCILE_REQUEST))),
        pause(text(annotations.get(StackIdentity.PAUSED)).strip()),
        annotations.containsKey(StackIdentity.UP_STARTED));
  }

  /** Why its present force token was set, where a dependent set it; "" otherwise. */
  public static String reconcileReason(GenericKubernetesResource resource) {
    Map<String, String> annotations = annotations(resource);
    String token = text(annotations.get(StackIdentity.RECONCILE_REQUEST));
    return ReconcileReason.of(annotations, token);
  }

  /** Whether a dependent has set this force token before, whatever became of it since. */
  public static boolean askedBefore(GenericKubernetesResource resource, String token) {
    return !ReconcileReason.of(annotations(resource), token).isEmpty();
  }

  private static String pause(String value) {
    return switch (value) {
      case "false" -> "";
      case "true" -> "paused by annotation";
      default -> bounded(value, LONGEST_PAUSE);
    };
  }

  private static String token(String value) {
    return value.length() <= LONGEST_TOKEN
        ? value
        : "hash:" + UUID.nameUUIDFromBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  private static String bounded(String value, int most) {
    if (value.length() <= most) {
      return value;
    }
    boolean halves = Character.isHighSurrogate(value.charAt(most - 2));
    return value.substring(0, halves ? most - 2 : most - 1) + "…";
  }

  /** Reads the status; a part that cannot be read counts as absent. */
  public static StackStatus status(GenericKubernetesResource resource) {
    return StatusReader.read(field(resource, "status"), annotations(resource));
  }

  /** The fields of its spec that have no effect; works for any object. */
  public static List<IgnoredField> ignoredFields(GenericKubernetesResource resource) {
    return IgnoredField.of(field(resource, "spec"));
  }

  private static JsonNode field(GenericKubernetesResource resource, String name) {
    Object value = resource.getAdditionalProperties().get(name);
    return value == null ? MAPPER.missingNode() : MAPPER.valueToTree(value);
  }

  private static Map<String, String> annotations(GenericKubernetesResource resource) {
    Map<String, String> annotations = metadata(resource).getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }

  private static ObjectMeta metadata(GenericKubernetesResource resource) {
    ObjectMeta meta = resource.getMetadata();
    return meta == null ? new ObjectMeta() : meta;
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
