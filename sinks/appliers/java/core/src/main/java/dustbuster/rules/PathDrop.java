package dustbuster.rules;

import java.util.List;

/** Removes pieces of path segments, each with the semicolon before it. */
record PathDrop(Pieces pieces, List<String> needs) implements Edit {
    @Override
    public String edit(String text) {
        int end = Query.pathEnd(text);
        StringBuilder out = null;
        int copied = 0;
        boolean inSegment = false; // a slash stands before; a host does not begin with one
        for (int at = 0; at < end; at++) {
            char c = text.charAt(at);
            inSegment |= c == '/';
            if (c != ';' || !inSegment) {
                continue;
            }
            int to = pieceEnd(text, at + 1, end);
            if (pieces.has(text, at + 1, to)) {
                out = out == null ? new StringBuilder(text.length()) : out;
                out.append(text, copied, at);
                copied = to;
            }
            at = to - 1;
        }
        return out == null ? text : out.append(text, copied, text.length()).toString();
    }

    private static int pieceEnd(String text, int from, int end) {
        int at = from;
        while (at < end && text.charAt(at) != ';' && text.charAt(at) != '/') {
            at++;
        }
        return at;
    }

    @Override
    public boolean editsPathParameters() {
        return true;
    }
}
