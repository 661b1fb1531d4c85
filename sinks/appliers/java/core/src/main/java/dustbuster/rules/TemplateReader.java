package dustbuster.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads templates of records. */
final class TemplateReader {
    private static final int KEYS = 64;

    private TemplateReader() {}

    static Template read(Fields in) throws InvalidListException {
        Map<String, String> where = where(in);
        int segments = 0;
        while (where.containsKey(Template.segment(segments))) {
            segments++;
        }
        for (String key : where.keySet()) {
            checkKey(key, segments);
        }
        Map<String, Template.Change> edits = new LinkedHashMap<>();
        String added = null;
        for (Map.Entry<String, Object> e : Fields.of(need(in, "edit"), "edit").members().entrySet()) {
            String key = text(e.getKey());
            edits.put(key, change(key, e.getValue(), where));
            if (where.containsKey(key)) {
                continue;
            }
            checkKey(key, segments);
            if (added != null || edits.get(key) == Template.Change.DROP) {
                throw new InvalidListException("a template edits a key that it does not ask for: " + key);
            }
            added = key;
        }
        if (edits.isEmpty()) {
            throw new InvalidListException("a template without edits");
        }
        return new Template(Map.copyOf(where), Map.copyOf(edits), segments, added, needs(where));
    }

    private static Map<String, String> where(Fields in) throws InvalidListException {
        Map<String, String> where = new LinkedHashMap<>();
        Fields fields = Fields.of(need(in, "where"), "where");
        for (String key : fields.members().keySet()) {
            String value = fields.needText(key);
            if (!value.equals(Template.ANY)) {
                checkValue(text(key), value);
            }
            where.put(text(key), value);
        }
        if (!where.containsKey(Template.segment(0)) || where.size() > KEYS) {
            throw new InvalidListException("a template of " + where.size() + " keys, want 1 to " + KEYS + ", one of them /0");
        }
        return where;
    }

    private static Template.Change change(String key, Object value, Map<String, String> where)
            throws InvalidListException {
        if (value instanceof String) { // "drop"
            return Template.Change.DROP;
        }
        Fields in = Fields.of(value, "an edit of a template");
        String set = in.text("set");
        String copy = in.text("copy");
        if (set == null && copy == null || set != null && copy != null) {
            throw new InvalidListException("an edit of a template needs set or copy");
        }
        if (copy != null && !where.containsKey(copy)) {
            throw new InvalidListException("a template copies a key that it does not ask for: " + copy);
        }
        if (set != null) {
            checkValue(key, set);
        }
        return new Template.Change(set, copy);
    }

    /** Returns an error unless a key is one of the segments, or a name. */
    private static void checkKey(String key, int segments) throws InvalidListException {
        if (!isSegment(key)) {
            Kind.checkPiece(key, null, false);
            return;
        }
        for (int i = 0; i < segments; i++) {
            if (key.equals(Template.segment(i))) {
                return;
            }
        }
        throw new InvalidListException("a template has no segment " + key + ", or a segment before it is missing");
    }

    private static void checkValue(String key, String value) throws InvalidListException {
        boolean segment = isSegment(key);
        Kind.refuse(value, segment ? "/?" : "&;", "a value of a template holds a separator");
    }

    private static boolean isSegment(String key) {
        return key.startsWith("/");
    }

    private static String text(String key) throws InvalidListException {
        String bytes = Bytes.of(key);
        return Fields.checked(bytes == null ? "\u0080" : bytes, "a key of a template");
    }

    private static Object need(Fields in, String name) throws InvalidListException {
        if (!in.has(name)) {
            throw new InvalidListException("no member \"" + name + "\"");
        }
        return in.members().get(name);
    }

    private static List<String> needs(Map<String, String> where) {
        String longest = "";
        for (Map.Entry<String, String> e : where.entrySet()) {
            String need = isSegment(e.getKey()) ? "/" : e.getKey();
            if (!e.getValue().equals(Template.ANY)) {
                need += (isSegment(e.getKey()) ? "" : "=") + e.getValue();
            }
            longest = need.length() > longest.length() ? need : longest;
        }
        return new ArrayList<>(List.of(longest));
    }
}
