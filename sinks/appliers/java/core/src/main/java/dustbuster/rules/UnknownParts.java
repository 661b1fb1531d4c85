package dustbuster.rules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What of a record this version does not know. A part that is not of its type holds nothing that is
 * unknown.
 */
final class UnknownParts {
    /** The members of records of all kinds. */
    static final Set<String> MEMBERS = Set.of(
            "schema", "site", "id", "rank", "state", "support", "verdict", "first_seen", "validated_at", "by_domain",
            "hosts", "separators", "kind", "scope", "except");

    private final Map<?, ?> record;

    private UnknownParts(Map<?, ?> record) {
        this.record = record;
    }

    /** Returns what of a record is unknown, or null. */
    static String in(Fields record) {
        return new UnknownParts(record.members()).find();
    }

    private String find() {
        Object kind = record.get("kind");
        Map<?, ?> except = map(record.get("except"));
        String found = Kind.strange(record.keySet());
        found = found != null ? found : word(record, "kind", "substring", "parameter", "form", "template", "segment");
        found = found != null ? found : member(except, Set.of("scopes", "urls"));
        found = found != null ? found : inScope(record.get("scope"));
        for (Object scope : list(except.get("scopes"))) {
            found = found != null ? found : inScope(scope);
        }
        if (found != null || !(kind instanceof String name)) {
            return found;
        }
        return switch (name) {
            case "parameter" -> inParameter();
            case "form" -> word(record, "form", Form.words());
            case "segment" -> word(record, "class", "digits", "hex");
            case "template" -> inEdits(map(record.get("edit")));
            default -> null;
        };
    }

    private String inScope(Object value) {
        Map<?, ?> scope = map(value);
        String found = member(scope, Set.of("path", "prefix", "where"));
        for (Object condition : list(scope.get("where"))) {
            found = found != null ? found : member(map(condition), Set.of("param", "value", "valued", "own", "begins"));
        }
        return found;
    }

    private String inParameter() {
        boolean isDrop = "drop".equals(record.get("op"));
        Map<?, ?> pattern = isDrop ? map(record.get("pattern")) : Map.of();
        String found = word(record, "op", "drop", "set", "order");
        found = found != null ? found : isDrop ? word(record, "in", "query", "path") : word(record, "in", "query");
        found = found != null ? found : member(pattern, Set.of("prefix", "class"));
        return found != null ? found : word(pattern, "class", "digits", "hex");
    }

    private static String inEdits(Map<?, ?> edits) {
        String found = null;
        for (Object key : edits.keySet()) {
            found = found != null ? found : word(edits, (String) key, "drop");
            found = found != null ? found : member(map(edits.get(key)), Set.of("set", "copy"));
        }
        return found;
    }

    private static Map<?, ?> map(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    /** Returns a member that has none of some names, or null. */
    private static String member(Map<?, ?> object, Set<String> names) {
        for (Object name : object.keySet()) {
            if (!names.contains(name)) {
                return "member \"" + name + "\"";
            }
        }
        return null;
    }

    /** Returns a member that is a text, but none of some words, or null. */
    private static String word(Map<?, ?> object, String name, String... words) {
        return object.get(name) instanceof String word && !List.of(words).contains(word) ? name + " \"" + word + "\"" : null;
    }
}
