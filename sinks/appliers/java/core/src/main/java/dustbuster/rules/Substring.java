package dustbuster.rules;

import java.util.List;

/** Turns the leftmost occurrence of {@code from} on token boundaries into {@code to}. */
record Substring(String from, String to, boolean atStart, boolean atEnd) implements Edit {
    @Override
    public String edit(String text) {
        int at = find(text);
        if (at < 0) {
            return text;
        }
        return text.substring(0, at) + to + text.substring(at + from.length());
    }

    private int find(String text) {
        int last = text.length() - from.length();
        if (last < 0 || atStart && atEnd && last > 0) {
            return -1;
        }
        if (atStart || from.isEmpty() && !atEnd) {
            return text.startsWith(from) && isRight(text, 0) ? 0 : -1;
        }
        if (atEnd) {
            return text.startsWith(from, last) && isRight(text, last) ? last : -1;
        }
        for (int at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
            if (isRight(text, at)) {
                return at;
            }
        }
        return -1;
    }

    /** Reports whether an occurrence of {@code from} may be replaced. */
    private boolean isRight(String text, int at) {
        int end = at + from.length();
        return Tokens.isBoundary(text, at)
                && Tokens.isBoundary(text, end)
                && !isWithinTo(text, at, end)
                && keepsSlash(text, at);
    }

    private boolean isWithinTo(String text, int from, int end) {
        int first = Math.max(0, end - to.length());
        for (int at = first; at <= from && at + to.length() <= text.length(); at++) {
            if (text.startsWith(to, at)
                    && at + to.length() >= end
                    && Tokens.isBoundary(text, at)
                    && Tokens.isBoundary(text, at + to.length())) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether the edit leaves a slash at the beginning, if there is one. */
    private boolean keepsSlash(String text, int at) {
        if (at > 0 || text.isEmpty() || text.charAt(0) != '/') {
            return true;
        }
        if (!to.isEmpty()) {
            return to.charAt(0) == '/';
        }
        return from.length() < text.length() && text.charAt(from.length()) == '/';
    }

    @Override
    public List<String> needs() {
        return from.isEmpty() ? List.of() : List.of(from);
    }
}
