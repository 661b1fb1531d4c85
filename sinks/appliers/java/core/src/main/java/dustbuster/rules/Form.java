package dustbuster.rules;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Writes one form of syntax in its normal way. */
enum Form implements Edit {
    SLASHES("slashes", "//", Form::slashes),
    EMPTY_QUERY("empty-query", "?", Form::emptyQuery),
    EMPTY_VALUE("empty-value", "=", Form::emptyValues),
    ESCAPES("escapes", "%", Form::escapes),
    CASE("case", "", Form::small);

    private static final Pattern RUN = Pattern.compile("//+");
    private static final Pattern EMPTY = Pattern.compile("(^\\?|[&;])([^=&;]+)=(?=[&;]|\\z)");
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final Pattern CAPITALS = Pattern.compile("%[0-9A-Fa-f]{2}|[A-Z]+");

    private final String word; // in records
    private final List<String> needs;
    private final UnaryOperator<String> normal;

    Form(String word, String need, UnaryOperator<String> normal) {
        this.word = word;
        this.needs = need.isEmpty() ? List.of() : List.of(need);
        this.normal = normal;
    }

    @Override
    public String edit(String text) {
        return normal.apply(text);
    }

    /** Each run of slashes of the path becomes one. */
    private static String slashes(String text) {
        int end = Query.pathEnd(text);
        return RUN.matcher(text.substring(0, end)).replaceAll("/") + text.substring(end);
    }

    /** A question mark that ends the text goes, if it is the first. */
    private static String emptyQuery(String text) {
        int end = Query.pathEnd(text);
        return end == text.length() - 1 ? text.substring(0, end) : text;
    }

    /** A piece name= becomes name. */
    private static String emptyValues(String text) {
        int end = Query.pathEnd(text);
        return text.substring(0, end) + EMPTY.matcher(text.substring(end)).replaceAll("$1$2");
    }

    /** Escapes of unreserved characters are undone, others get capital digits. */
    private static String escapes(String text) {
        return ESCAPE.matcher(text).replaceAll(escape -> {
            char c = Bytes.unescape(escape.group(), 0);
            boolean unreserved = Bytes.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0;
            return unreserved ? String.valueOf(c) : escape.group().toUpperCase(Locale.ROOT);
        });
    }

    /** The capitals of the path become small letters, but for those in escapes. */
    private static String small(String text) {
        int end = Query.pathEnd(text);
        return CAPITALS.matcher(text.substring(0, end)).replaceAll(
                found -> found.group().startsWith("%") ? found.group() : found.group().toLowerCase(Locale.ROOT)) + text.substring(end);
    }

    @Override
    public List<String> needs() {
        return needs;
    }

    /** Returns the names of all forms in records. */
    static String[] words() {
        return Arrays.stream(values()).map(form -> form.word).toArray(String[]::new);
    }

    /** Returns the form of a name in records, which is known. */
    static Form of(String word) {
        return Arrays.stream(values()).filter(form -> form.word.equals(word)).findFirst().orElseThrow();
    }
}
