/**
 * Applies the rules that dustbuster publishes. {@code docs/rules.md} of dustbuster says what a
 * rule means; this package is that page in Java, without any library beside the language.
 *
 * <p>{@link dustbuster.rules.Rules} is one list, immutable, for any number of threads.
 * {@link dustbuster.rules.Live} holds a list that is replaced while threads apply it, counts,
 * and marks URLs for exploration. {@link dustbuster.rules.Follower} reads a file or a daemon
 * again and again, and sets the lists of a {@code Live}.
 *
 * <p>Inside the package a text is a <i>byte string</i>: a {@code String} with one byte in each
 * character. So lengths are in bytes, and texts are compared byte for byte.
 */
package dustbuster.rules;
