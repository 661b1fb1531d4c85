package dustbuster.rules;

import java.util.Arrays;
import java.util.List;

/** Writes one form of syntax in its normal way. */
enum Form implements Edit {
    /** Each run of slashes of the path becomes one, from the first slash on. */
    SLASHES("slashes", "//") {
        @Override
        public String edit(String text) {
            int end = Query.pathEnd(text);
            int run = text.indexOf("//");
            if (run < 0 || run >= end - 1) {
                return text;
            }
            StringBuilder out = new StringBuilder(text.length());
            for (int at = 0; at < end; at++) {
                if (at == 0 || text.charAt(at) != '/' || text.charAt(at - 1) != '/') {
                    out.append(text.charAt(at));
                }
            }
            return out.append(text, end, text.length()).toString();
        }
    },
    /** A question mark that ends the text goes, if it is the first. */
    EMPTY_QUERY("empty-query", "?") {
        @Override
        public String edit(String text) {
            int end = Query.pathEnd(text);
            return end == text.length() - 1 ? text.substring(0, end) : text;
        }
    },
    /** A piece name= becomes name. */
    EMPTY_VALUE("empty-value", "=") {
        @Override
        public String edit(String text) {
            StringBuilder out = null;
            int copied = 0;
            for (int from = Query.pathEnd(text) + 1; from <= text.length(); ) {
                int to = Query.pieceEnd(text, from);
                if (to > from + 1 && Query.nameEnd(text, from, to) == to - 1) {
                    out = out == null ? new StringBuilder(text.length()) : out;
                    out.append(text, copied, to - 1);
                    copied = to;
                }
                from = to + 1;
            }
            return out == null ? text : out.append(text, copied, text.length()).toString();
        }
    },
    /** Escapes of unreserved characters are undone, others get capital digits. */
    ESCAPES("escapes", "%") {
        @Override
        public String edit(String text) {
            if (text.indexOf('%') < 0) {
                return text;
            }
            StringBuilder out = new StringBuilder(text.length());
            for (int at = 0; at < text.length(); at++) {
                if (!Bytes.isEscape(text, at)) {
                    out.append(text.charAt(at));
                    continue;
                }
                char c = Bytes.unescape(text, at);
                if (Bytes.isLetterOrDigit(c) || c == '-' || c == '.' || c == '_' || c == '~') {
                    out.append(c);
                } else {
                    out.append('%').append(Bytes.capital(text.charAt(at + 1))).append(Bytes.capital(text.charAt(at + 2)));
                }
                at += 2;
            }
            return text.contentEquals(out) ? text : out.toString();
        }
    },
    /** The capitals of the path become small letters, but for those in escapes. */
    CASE("case", "") {
        @Override
        public String edit(String text) {
            int end = Query.pathEnd(text);
            StringBuilder out = null;
            for (int at = 0; at < end; at++) {
                if (Bytes.isEscape(text, at)) {
                    at += 2;
                } else if (Bytes.small(text.charAt(at)) != text.charAt(at)) {
                    out = out == null ? new StringBuilder(text) : out;
                    out.setCharAt(at, Bytes.small(text.charAt(at)));
                }
            }
            return out == null ? text : out.toString();
        }
    };

    private final String word; // in records
    private final List<String> needs;

    Form(String word, String need) {
        this.word = word;
        this.needs = need.isEmpty() ? List.of() : List.of(need);
    }

    @Override
    public List<String> needs() {
        return needs;
    }

    /** Returns the names of all forms in records. */
    static String[] words() {
        return Arrays.stream(values()).map(form -> form.word).toArray(String[]::new);
    }

    /** Returns the form of a name in records, or null. */
    static Form of(String word) {
        for (Form form : values()) {
            if (form.word.equals(word)) {
                return form;
            }
        }
        return null;
    }
}
