/** What people see and do in the Web UI, against a real server. */
@NullMarked
package dev.reprise.e2e.browser;

import org.jspecify.annotations.NullMarked;
