package dev.reprise.agent.kube;

/**
 * What a caller needs: a token made for this audience, and the verb {@code use} on the subresource
 * {@code workspaces/rpc} of group {@code auto.pulumi.com}. The name only feeds the authorization
 * rules; neither the object nor its kind has to exist.
 *
 * @param audience whom the token must be meant for
 * @param namespace the workspace's namespace
 * @param name the workspace's name
 */
public record WorkspaceAccess(String audience, String namespace, String name) {}
