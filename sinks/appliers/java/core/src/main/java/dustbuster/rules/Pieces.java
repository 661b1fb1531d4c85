package dustbuster.rules;

import java.util.List;

/** Which pieces of a query, or of a path segment, a rule removes or changes. */
@FunctionalInterface
interface Pieces {
    boolean has(String text, int from, int to);

    Pieces NONE = (text, from, to) -> false;

    /** The pieces with a name, bare or with a value. */
    static Pieces named(String name) {
        return (text, from, to) -> Query.isNamed(text, from, to, name);
    }

    /** The pieces with one of some names. */
    static Pieces named(List<String> names) {
        if (names.size() == 1) {
            return named(names.get(0));
        }
        String[] all = names.toArray(new String[0]);
        return (text, from, to) -> {
            for (String name : all) {
                if (Query.isNamed(text, from, to, name)) {
                    return true;
                }
            }
            return false;
        };
    }

    /** The pieces name=value. */
    static Pieces valued(String name, String value) {
        return (text, from, to) -> Query.is(text, from, to, name, value);
    }

    /** The pieces whose name is a prefix and then four or more digits. */
    static Pieces digits(String prefix) {
        return (text, from, to) -> {
            int end = Query.nameEnd(text, from, to);
            int at = from + prefix.length();
            if (end - at < 4 || !text.startsWith(prefix, from)) {
                return false;
            }
            for (; at < end; at++) {
                if (!Bytes.isDigit(text.charAt(at))) {
                    return false;
                }
            }
            return true;
        };
    }

    /**
     * The pieces whose name is a prefix and then eight or more hexadecimal digits, at least one
     * of them 0 to 9, and all letters small or all large.
     */
    static Pieces hex(String prefix) {
        return (text, from, to) -> {
            int end = Query.nameEnd(text, from, to);
            int at = from + prefix.length();
            if (end - at < 8 || !text.startsWith(prefix, from)) {
                return false;
            }
            boolean digit = false;
            boolean small = false;
            boolean large = false;
            for (; at < end; at++) {
                char c = text.charAt(at);
                if (!Bytes.isHex(c)) {
                    return false;
                }
                digit |= Bytes.isDigit(c);
                small |= c >= 'a';
                large |= c >= 'A' && c <= 'F';
            }
            return digit && !(small && large);
        };
    }
}
