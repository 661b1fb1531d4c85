package dustbuster.rules;

import java.util.List;

/** Makes each piece of a name, bare pieces too, to name=value. */
record SetValue(String name, String value) implements Edit {
    @Override
    public String edit(String text) {
        StringBuilder out = null;
        int copied = 0;
        for (int from = Query.pathEnd(text) + 1; from <= text.length(); ) {
            int to = Query.pieceEnd(text, from);
            if (Query.isNamed(text, from, to, name) && !Query.is(text, from, to, name, value)) {
                out = out == null ? new StringBuilder(text.length() + value.length() + 1) : out;
                out.append(text, copied, from).append(name).append('=').append(value);
                copied = to;
            }
            from = to + 1;
        }
        return out == null ? text : out.append(text, copied, text.length()).toString();
    }

    @Override
    public Pieces skips() {
        return Pieces.named(name);
    }

    @Override
    public List<String> needs() {
        return List.of(name);
    }
}
