package dustbuster.rules;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hosts in normal form: small letters, no trailing dots, no default port of the scheme. */
final class Host {
    private static final int LONGEST = 261; // bytes of an authority: a name of 255, and a port
    private static final Pattern AUTHORITY =
            Pattern.compile("([-0-9A-Z_a-z][-.0-9A-Z_a-z]*|\\[[.0-9:A-Fa-f]+\\])(?::([0-9]{1,5}))?");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

    private Host() {}

    /**
     * Returns the normal form of an authority, or null if the authority is no valid host. The
     * default port is given in digits; none is "".
     */
    static String normal(String authority, String defaultPort) {
        Matcher match = AUTHORITY.matcher(authority);
        if (authority.length() > LONGEST || !match.matches()) {
            return null;
        }
        String name = match.group(1).toLowerCase(Locale.ROOT);
        int end = name.length();
        while (name.charAt(end - 1) == '.') {
            end--;
        }
        String port = match.group(2);
        return name.substring(0, end) + (port == null || port.equals(defaultPort) ? "" : ":" + port);
    }

    /** Returns a host in normal form without its port. */
    static String withoutPort(String host) {
        int at = host.lastIndexOf(':');
        return at < 0 || host.endsWith("]") ? host : host.substring(0, at);
    }

    /** Reports whether a name without port is its own registrable domain: an address, or one label. */
    static boolean isOwnDomain(String name) {
        return name.startsWith("[") || name.indexOf('.') < 0 || NUMBERS.matcher(name).matches();
    }
}
