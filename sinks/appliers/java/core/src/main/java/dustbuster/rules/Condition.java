package dustbuster.rules;

/**
 * A condition of a scope: a parameter that the text must have. Value and begins may be null. A condition of an
 * exception on the rule's own parameter skips no pieces; begins is the beginning of the parameter's value.
 */
record Condition(String param, String value, boolean valued, boolean own, String begins) {
    /** Reports whether a piece of the query meets the condition, other than the pieces to skip. */
    boolean holds(String text, Pieces skipped) {
        Pieces skip = own ? Pieces.NONE : skipped;
        int end = Query.pathEnd(text);
        for (int from = end + 1; from <= text.length(); ) {
            int to = Query.pieceEnd(text, from);
            if (matches(text, from, to) && !skip.has(text, from, to)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private boolean matches(String text, int from, int to) {
        if (value != null) {
            return Query.is(text, from, to, param, value);
        }
        if (begins != null) {
            int at = from + param.length() + 1; // of the value
            return at + begins.length() <= to && Query.isNamed(text, from, to, param) && text.startsWith(begins, at);
        }
        return Query.isNamed(text, from, to, param) && (!valued || to - from > param.length());
    }
}
