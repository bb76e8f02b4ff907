package dev.reprise.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Who a token belongs to, as the API server says.
 *
 * @param user the account's name
 * @param details the whole answer about it: name, uid, groups and extra
 */
record Caller(String user, JsonNode details) {}
