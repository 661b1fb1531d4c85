package dustbuster.rules;

import java.util.List;

/**
 * A valid rule of a list, as its record says it.
 *
 * @param site the site's name, a byte string like the hosts
 * @param rank the rule's place in the site's list
 * @param rule null if the meaning of the rule is unknown
 * @param unknown what is unknown, or null
 */
record Record(String site, boolean byDomain, List<String> hosts, long rank, Rule rule, String unknown) {
    private static final int SCHEMA = 2;

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
        return new Record(site, byDomain, hosts, rank, rule, unknown == null ? null : unknown + " is unknown to this version");
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
