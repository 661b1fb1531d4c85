package dustbuster.rules;

/**
 * A URL, cut into its parts: an absolute http or https URL, or a relative one, which is a path.
 *
 * @param scheme with "://", as written; empty in a relative URL
 * @param authority as written
 * @param host in normal form
 * @param path the text of path and query, without fragment and with escapes
 * @param fragment as written if it begins with "#!" or "#/", else empty
 */
record Address(String scheme, String authority, String host, String path, String fragment) {
    static final int LONGEST_TEXT = 2048; // bytes

    /**
     * Cuts a URL, a byte string, or returns null if the URL is left alone whatever the rules are.
     *
     * @param named the host of relative URLs, in normal form, or empty
     */
    static Address of(String url, String named) {
        int slashes;
        if (isRelative(url)) {
            String path = path(url, 0);
            return path == null ? null : new Address("", "", named, path, fragment(url, 0));
        }
        if (url.regionMatches(true, 0, "https://", 0, 8)) {
            slashes = 8;
        } else if (url.regionMatches(true, 0, "http://", 0, 7)) {
            slashes = 7;
        } else {
            return null;
        }
        int end = slashes;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String authority = url.substring(slashes, end);
        String host = Host.normal(authority, slashes == 8 ? "443" : "80");
        String path = host == null ? null : path(url, end);
        return path == null ? null : new Address(url.substring(0, slashes), authority, host, path, fragment(url, end));
    }

    /**
     * Reports whether a text is a path on the host of its reader: browsers take two slashes for the
     * beginning of another host, and a backslash for a slash.
     */
    static boolean isRelative(String url) {
        return url.startsWith("/") && !url.startsWith("//") && !url.startsWith("/\\");
    }

    boolean isRelative() {
        return scheme.isEmpty();
    }

    /** Returns the fragment of a URL if it names a page of its own, as applications in a browser write it. */
    private static String fragment(String url, int from) {
        int at = url.indexOf('#', from);
        return at >= 0 && (url.startsWith("#!", at) || url.startsWith("#/", at)) ? url.substring(at) : "";
    }

    /** Returns scheme and authority as they stand in the URL. */
    String origin() {
        return scheme + authority;
    }

    String defaultPort() {
        return scheme.length() == 8 ? "443" : "80";
    }

    /** Returns the text of path and query, or null for a text that is too long or has a control byte. */
    private static String path(String url, int from) {
        int end = from;
        int escapes = 0;
        for (; end < url.length() && url.charAt(end) != '#'; end++) {
            char c = url.charAt(end);
            if (c < ' ' || c == 0x7F) {
                return null;
            }
            if (!Bytes.isPlain(c)) {
                escapes++;
            }
        }
        boolean hasPath = end > from && url.charAt(from) == '/';
        int length = end - from + 2 * escapes + (hasPath ? 0 : 1);
        if (length > LONGEST_TEXT) {
            return null;
        }
        if (hasPath && escapes == 0) {
            return url.substring(from, end);
        }
        StringBuilder out = new StringBuilder(length);
        if (!hasPath) {
            out.append('/');
        }
        for (int at = from; at < end; at++) {
            char c = url.charAt(at);
            if (Bytes.isPlain(c)) {
                out.append(c);
            } else {
                out.append('%').append(digit(c >> 4)).append(digit(c & 15));
            }
        }
        return out.toString();
    }

    private static char digit(int value) {
        return "0123456789ABCDEF".charAt(value);
    }
}
