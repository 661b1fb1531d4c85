package dustbuster.rules;

import java.util.List;

/** Cuts a segment of a class, such as a session, out of the path, with the slash behind it. */
record Segment(String after, Pieces values, String to) implements Edit {
    @Override
    public String edit(String text) {
        int end = Query.pathEnd(text);
        int head = text.indexOf('/');
        if (head < 0 || head >= end || !text.startsWith(after, head)) {
            return text;
        }
        int from = head + after.length();
        int slash = text.indexOf('/', from);
        if (slash < 0 || slash + 1 >= end || text.charAt(slash + 1) == '/' || text.substring(from, slash).indexOf('=') >= 0
                || !values.has(text, from, slash)) {
            return text;
        }
        return text.substring(0, head) + to + text.substring(slash + 1);
    }

    @Override
    public List<String> needs() {
        return List.of(after);
    }
}
