package dustbuster.rules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A valid rule of a list, as its record says it.
 *
 * @param site the site's name, a byte string like the hosts
 * @param rank the rule's place in the site's list; 0 if the rule is unknown
 * @param rule null if the meaning of the rule is unknown
 * @param unknown what is unknown, or null
 */
record Record(String site, boolean byDomain, List<String> hosts, long rank, Rule rule, String unknown) {
    private static final int SCHEMA = 2;

    /** The members of records that say nothing of the rule's meaning. */
    private static final Set<String> MEMBERS = Set.of(
            "schema", "site", "id", "rank", "state", "support", "verdict", "first_seen", "validated_at", "by_domain",
            "hosts", "separators", "kind", "scope", "except");

    /** Reads a record, or returns null if the rule is not valid. */
    static Record read(String line) throws InvalidListException {
        Fields in = Fields.of(Json.read(line), "the record");
        if (in.has("schema") && in.needWhole("schema") > SCHEMA) {
            throw new InvalidListException(
                    "schema " + in.needWhole("schema") + ", and this version knows " + SCHEMA + ": use a newer version");
        }
        if (!"valid".equals(in.string("state"))) {
            return null;
        }
        long schema = in.needWhole("schema");
        String site = in.need("site");
        boolean byDomain = Boolean.TRUE.equals(in.bool("by_domain"));
        List<String> hosts = in.strings("hosts");
        try {
            Rule rule = rule(in, schema);
            return new Record(site, byDomain, hosts, in.needWhole("rank"), rule, null);
        } catch (Unknown e) {
            return new Record(site, byDomain, hosts, 0, null, e.getMessage());
        }
    }

    private static Rule rule(Fields in, long schema) throws InvalidListException, Unknown {
        String id = in.need("id");
        Kind kind = Kind.of(in);
        for (Map.Entry<String, Object> member : in.members().entrySet()) {
            String name = member.getKey();
            if (MEMBERS.contains(name) || kind.members.contains(name) || member.getValue() == null) {
                continue;
            }
            if (Kind.isMember(name)) {
                throw new InvalidListException(kind.words() + " has no member \"" + name + "\"");
            }
            if (schema >= SCHEMA) {
                throw new Unknown("member \"" + name + "\"");
            }
        }
        boolean plain = schema < SCHEMA || in.has("param");
        Scope scope = ScopeReader.scope(in.members().get("scope"), plain);
        ScopeReader.Exceptions except = ScopeReader.exceptions(in.members().get("except"));
        return new Rule(id, scope, kind.edit(in), except.scopes(), except.texts());
    }
}
