package dustbuster.rules;

/** The path and the pieces of the query of a text. */
final class Query {
    private Query() {}

    /** Returns the end of the path: the place of the first question mark, or the text's length. */
    static int pathEnd(String text) {
        int at = text.indexOf('?');
        return at < 0 ? text.length() : at;
    }

    /** Returns the end of the piece that begins at a place. */
    static int pieceEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '&' && text.charAt(at) != ';') {
            at++;
        }
        return at;
    }

    /** Reports whether a piece has a name, bare or with a value. */
    static boolean isNamed(String text, int from, int to, String name) {
        int end = from + name.length();
        return end <= to && text.startsWith(name, from) && (end == to || text.charAt(end) == '=');
    }

    /** Reports whether a piece is name=value. */
    static boolean is(String text, int from, int to, String name, String value) {
        int middle = from + name.length();
        return to - middle == 1 + value.length()
                && text.startsWith(name, from)
                && text.charAt(middle) == '='
                && text.startsWith(value, middle + 1);
    }

    /** Returns the end of a piece's name. The name is empty if the piece has none. */
    static int nameEnd(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) != '=') {
            at++;
        }
        return at;
    }
}
