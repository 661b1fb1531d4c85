package dustbuster.rules;

/**
 * Gives registrable domains. Implement this interface with a library of the public suffix list,
 * such as crawler-commons ({@code EffectiveTldFinder::getAssignedDomain}) or Guava.
 */
@FunctionalInterface
public interface Domains {
    /**
     * Returns the registrable domain of a host, or null if the host has none. The host is in small
     * letters, without port and trailing dot, has at least one dot, and is no address.
     */
    String registrable(String host);

    /** The last two labels of a name: for tests, where no other suffix occurs. */
    Domains TWO_LABELS = host -> host.substring(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1);
}
