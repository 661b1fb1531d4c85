package dustbuster.rules;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A valid rule of a list, as its record says it.
 *
 * @param site the site's name, a byte string like the hosts
 * @param rank the rule's place in the site's list
 * @param rule null if the meaning of the rule is unknown
 * @param unknown what is unknown, or null
 * @param size 128, and the bytes of all texts of the rule and of the keys of a template
 */
record Record(String site, boolean byDomain, List<String> hosts, long rank, Rule rule, String unknown, long size) {
    private static final int SCHEMA = 2;
    private static final int BARE_RULE = 128; // the size of a rule without texts
    private static final Set<String> HEAD = Set.of("schema", "site", "id", "rank", "state", "by_domain", "hosts",
            "support", "verdict", "first_seen", "validated_at", "separators");

    /** Reads a record, or returns null if the rule is not valid. */
    static Record read(String line) throws InvalidListException {
        Fields in = Fields.of(Json.read(line), "the record");
        if (in.has("schema")) {
            checkSchema(in.needWhole("schema"));
        }
        Object state = in.members().get("state");
        if (state != null && !(state instanceof String)) {
            throw new InvalidListException("\"state\" is not a text");
        }
        if (!"valid".equals(state)) {
            return null;
        }
        in.needWhole("schema");
        String site = name(in, "site");
        String id = name(in, "id");
        long rank = in.needWhole("rank");
        boolean byDomain = Boolean.TRUE.equals(in.bool("by_domain"));
        in.some("hosts");
        List<String> hosts = in.strings("hosts");
        if (id.isEmpty()) {
            throw new InvalidListException("an empty id");
        }
        String unknown = UnknownParts.in(in);
        Rule rule = unknown == null ? rule(in, id) : null;
        return new Record(
                site, byDomain, hosts, rank, rule, unknown == null ? null : unknown + " is unknown to this version", size(in));
    }

    private static long size(Fields in) {
        long size = BARE_RULE;
        for (Map.Entry<String, Object> member : in.members().entrySet()) {
            size += HEAD.contains(member.getKey()) ? 0 : length(member.getValue());
        }
        for (String name : List.of("where", "edit")) {
            if (in.members().get(name) instanceof Map<?, ?> keys) {
                size += length(keys.entrySet().stream().filter(key -> key.getValue() != null).map(Map.Entry::getKey).toList());
            }
        }
        return size;
    }

    /** Returns the length of all texts in a value. Those of a valid rule are ASCII. */
    private static long length(Object value) {
        if (value instanceof String text) {
            return text.length();
        }
        Collection<?> parts = value instanceof Map<?, ?> members ? members.values() : value instanceof List<?> list ? list : List.of();
        return parts.stream().mapToLong(Record::length).sum();
    }

    private static void checkSchema(long schema) throws InvalidListException {
        if (schema > SCHEMA) {
            throw new InvalidListException("schema " + schema + ", and this version knows " + SCHEMA + ": use a newer version");
        }
        if (schema < SCHEMA) {
            throw new InvalidListException("schema " + schema + ", and this version knows " + SCHEMA + ": make the list anew, from the logs");
        }
    }

    private static String name(Fields in, String member) throws InvalidListException {
        String name = in.need(member);
        if (Bytes.text(name).indexOf('\ufffd') >= 0) {
            throw new InvalidListException("\"" + member + "\" is not a text");
        }
        return name;
    }

    /** Returns the rule of a record in which nothing is unknown. */
    private static Rule rule(Fields in, String id) throws InvalidListException {
        Kind kind = Kind.of(in);
        for (String name : in.members().keySet()) {
            if (Kind.isMember(name) && !kind.members.contains(name)) {
                throw new InvalidListException(kind.words() + " has no member \"" + name + "\"");
            }
        }
        Scope scope = ScopeReader.scope(in.members().get("scope"), null);
        ScopeReader.Exceptions except = ScopeReader.exceptions(in.members().get("except"), kind.own(in));
        return new Rule(id, scope, kind.edit(in), except.scopes(), except.texts());
    }
}
