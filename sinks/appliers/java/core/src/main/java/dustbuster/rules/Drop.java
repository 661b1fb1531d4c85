package dustbuster.rules;

import java.util.List;

/** Removes pieces of the query, each with one separator. */
record Drop(Pieces pieces, List<String> needs) implements Edit {
    @Override
    public String edit(String text) {
        int end = Query.pathEnd(text);
        StringBuilder out = null; // the text up to the place copied
        int copied = 0;
        boolean dropsLast = false;
        for (int from = end + 1; from <= text.length(); ) {
            int to = Query.pieceEnd(text, from);
            dropsLast = pieces.has(text, from, to);
            if (dropsLast) {
                out = out == null ? new StringBuilder(text.length()) : out;
                out.append(text, copied, from);
                copied = Math.min(to + 1, text.length());
            }
            from = to + 1;
        }
        if (out == null) {
            return text;
        }
        out.append(text, copied, text.length());
        if (dropsLast && out.length() > end + 1) { // the separator that then ends the query
            out.setLength(out.length() - 1);
        }
        if (out.length() == end + 1) { // only the question mark is left
            out.setLength(end);
        }
        return out.toString();
    }

    @Override
    public Pieces skips() {
        return pieces;
    }
}
