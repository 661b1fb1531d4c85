package dustbuster.rules;

import java.util.regex.Pattern;

/** Which pieces of a query, or of a path segment, a rule removes or changes. */
@FunctionalInterface
interface Pieces {
    boolean has(String text, int from, int to);

    Pattern DIGITS = Pattern.compile("[0-9]{4,}");

    /** With a digit, and no letters both small and large. */
    Pattern HEX = Pattern.compile("(?=.*[0-9])(?:[0-9a-f]{8,}|[0-9A-F]{8,})");

    Pieces NONE = (text, from, to) -> false;

    /** The pieces with a name, bare or with a value. */
    static Pieces named(String name) {
        return (text, from, to) -> Query.isNamed(text, from, to, name);
    }

    /** The pieces with one of two names. */
    static Pieces named(String name, String other) {
        return (text, from, to) -> Query.isNamed(text, from, to, name) || Query.isNamed(text, from, to, other);
    }

    /** The pieces name=value. */
    static Pieces valued(String name, String value) {
        return (text, from, to) -> Query.is(text, from, to, name, value);
    }

    /** The pieces whose name is a prefix and then characters of a class: digits, or hex. */
    static Pieces pattern(String prefix, String of) {
        Pattern rest = of.equals("digits") ? DIGITS : HEX;
        return (text, from, to) -> {
            int at = from + prefix.length();
            int end = Query.nameEnd(text, from, to);
            return text.startsWith(prefix, from) && at <= end && rest.matcher(text).region(at, end).matches();
        };
    }
}
