package dustbuster.rules;

/** Hosts in normal form: small letters, no trailing dots, no default port of the scheme. */
final class Host {
    private static final int LONGEST = 261; // bytes of an authority: a name of 255, and a port

    private Host() {}

    /**
     * Returns the normal form of an authority, or null if the authority is no valid host. The
     * default port is given in digits; none is "".
     */
    static String normal(String authority, String defaultPort) {
        int end = nameEnd(authority);
        if (end <= 0 || authority.length() > LONGEST) {
            return null;
        }
        String port = "";
        if (end < authority.length()) {
            port = authority.substring(end + 1);
            if (authority.charAt(end) != ':' || !isPort(port)) {
                return null;
            }
        }
        int dots = end;
        while (dots > 0 && authority.charAt(dots - 1) == '.') {
            dots--;
        }
        if (dots == 0 || authority.charAt(0) == '.') {
            return null;
        }
        if (dots == end && !port.isEmpty() && !port.equals(defaultPort)) {
            return Bytes.lower(authority);
        }
        String name = Bytes.lower(authority.substring(0, dots));
        return port.isEmpty() || port.equals(defaultPort) ? name : name + ":" + port;
    }

    /** Returns the end of the name or bracketed address that begins an authority, or -1. */
    private static int nameEnd(String authority) {
        if (authority.startsWith("[")) {
            int end = authority.indexOf(']');
            for (int i = 1; i < end; i++) {
                char c = authority.charAt(i);
                if (!Bytes.isHex(c) && c != ':' && c != '.') {
                    return -1;
                }
            }
            return end <= 1 ? -1 : end + 1;
        }
        int end = 0;
        for (; end < authority.length() && authority.charAt(end) != ':'; end++) {
            char c = authority.charAt(end);
            if (!Bytes.isLetterOrDigit(c) && c != '-' && c != '.' && c != '_') {
                return -1;
            }
        }
        return end;
    }

    private static boolean isPort(String port) {
        for (int i = 0; i < port.length(); i++) {
            if (!Bytes.isDigit(port.charAt(i))) {
                return false;
            }
        }
        return !port.isEmpty() && port.length() <= 5;
    }

    /** Returns a host in normal form without its port. */
    static String withoutPort(String host) {
        int at = host.lastIndexOf(':');
        return at < 0 || host.endsWith("]") ? host : host.substring(0, at);
    }

    /** Reports whether a name without port is its own registrable domain: an address, or one label. */
    static boolean isOwnDomain(String name) {
        if (name.startsWith("[") || name.indexOf('.') < 0) {
            return true;
        }
        for (int i = 0; i < name.length(); i++) {
            if (!Bytes.isDigit(name.charAt(i)) && name.charAt(i) != '.') {
                return false;
            }
        }
        return true;
    }
}
