package dustbuster.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rewrites texts of one shape: path segments and parameters that are set, copied or left out. In
 * {@code where} the value {@link #ANY} stands for any value. A parameter that {@code where} lacks is
 * the text's last.
 */
record Template(Map<String, String> where, Map<String, Change> edits, int segments, String added, List<String> needs)
        implements Edit {
    static final String ANY = "*";

    /** An edit of one key: the value to set, the key to copy, or neither for a key that goes. */
    record Change(String set, String copy) {
        static final Change DROP = new Change(null, null);
    }

    /** The key of a path segment. */
    static String segment(int at) {
        return "/" + at;
    }

    @Override
    public String edit(String text) {
        int path = text.indexOf('/');
        int end = Query.pathEnd(text);
        if (path < 0 || path > end) {
            return text;
        }
        Map<String, String> old = new HashMap<>(); // a missing value is null
        if (!readSegments(text, path, end, old)) {
            return text;
        }
        List<String> names = new ArrayList<>();
        char separator = readQuery(text, end, old, names);
        if (separator == 0 || !fits(old)) {
            return text;
        }
        Map<String, String> now = new HashMap<>(old);
        if (!change(old, now)) {
            return text;
        }
        return write(text.substring(0, path), names, separator, now);
    }

    /** Reads the segments, and returns false unless their number is the template's. */
    private boolean readSegments(String text, int path, int end, Map<String, String> old) {
        int count = 0;
        for (int from = path + 1; from <= end; count++) {
            int slash = text.indexOf('/', from);
            int to = slash < 0 || slash > end ? end : slash;
            if (count == segments) {
                return false;
            }
            old.put(segment(count), text.substring(from, to));
            from = to + 1;
        }
        return count == segments;
    }

    /** Reads the pieces, and returns their separator, or 0 if the text fits no template. */
    private static char readQuery(String text, int end, Map<String, String> old, List<String> names) {
        char separator = 0;
        for (int from = end + 1; end < text.length() && from <= text.length(); ) {
            int to = Query.pieceEnd(text, from);
            int equals = Query.nameEnd(text, from, to);
            String name = text.substring(from, equals);
            if (name.isEmpty() || name.charAt(0) == '/' || old.containsKey(name)) {
                return 0;
            }
            names.add(name);
            old.put(name, equals == to ? null : text.substring(equals + 1, to));
            if (to < text.length()) {
                if (separator != 0 && separator != text.charAt(to)) {
                    return 0;
                }
                separator = text.charAt(to);
            }
            from = to + 1;
        }
        return separator == 0 ? '&' : separator;
    }

    private boolean fits(Map<String, String> old) {
        if (old.size() != where.size()) {
            return false;
        }
        for (Map.Entry<String, String> e : where.entrySet()) {
            if (!old.containsKey(e.getKey())) {
                return false;
            }
            if (!e.getValue().equals(ANY) && !e.getValue().equals(old.get(e.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Applies the edits, or returns false if the text stays as it is. */
    private boolean change(Map<String, String> old, Map<String, String> now) {
        for (Map.Entry<String, Change> e : edits.entrySet()) {
            String key = e.getKey();
            Change change = e.getValue();
            if (change == Change.DROP) {
                now.remove(key);
                continue;
            }
            if (old.containsKey(key) && old.get(key) == null) {
                return false;
            }
            String value = change.set;
            if (change.copy != null) {
                value = old.get(change.copy);
                if (value == null || !isCopied(value) || key.charAt(0) == '/' && value.isEmpty()) {
                    return false;
                }
            }
            now.put(key, value);
        }
        return true;
    }

    private static boolean isCopied(String value) {
        for (int i = 0; i < value.length(); i++) {
            if ("/?;&".indexOf(value.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private String write(String head, List<String> names, char separator, Map<String, String> now) {
        StringBuilder out = new StringBuilder(head);
        for (int i = 0; i < segments; i++) {
            if (now.containsKey(segment(i))) {
                out.append('/').append(now.get(segment(i)));
            }
        }
        if (out.length() == head.length()) {
            out.append('/');
        }
        char before = '?';
        if (added != null) {
            names.add(added);
        }
        for (String name : names) {
            if (!now.containsKey(name)) {
                continue;
            }
            out.append(before).append(name);
            if (now.get(name) != null) {
                out.append('=').append(now.get(name));
            }
            before = separator;
        }
        return out.toString();
    }
}
