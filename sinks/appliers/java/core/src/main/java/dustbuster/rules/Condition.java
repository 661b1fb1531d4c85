package dustbuster.rules;

/** A condition of a scope: a parameter that the text must have. Value may be null. */
record Condition(String param, String value, boolean valued) {
    /** Reports whether a piece of the query meets the condition, other than the pieces to skip. */
    boolean holds(String text, Pieces skip) {
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
        return Query.isNamed(text, from, to, param) && (!valued || to - from > param.length());
    }
}
