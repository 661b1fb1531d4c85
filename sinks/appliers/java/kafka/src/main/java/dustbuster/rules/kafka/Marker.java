package dustbuster.rules.kafka;

import dustbuster.rules.InvalidListException;
import dustbuster.rules.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** The value of SITE/set: docs/schema/rule-set.schema.json. */
final class Marker {
    private static final long SCHEMA = 1;

    /** A rule of a set, and the tuple of its record. */
    record Named(String id, Tuple at) {}

    private Marker() {}

    /** Returns the rules of a site's set, in order. */
    static List<Named> read(String site, String value) throws InvalidListException {
        JsonValue in = JsonValue.parse(value);
        if (in.member("schema").whole() != SCHEMA) {
            throw new InvalidListException("a set of schema " + in.member("schema").whole() + ", and this version knows 1");
        }
        if (!in.member("site").text().equals(site)) {
            throw new InvalidListException("the set of site \"" + site + "\" is of another site");
        }
        List<Named> rules = new ArrayList<>();
        for (JsonValue rule : in.member("rules").elements()) {
            List<JsonValue> at = rule.member("at").elements();
            if (at.size() != 3) {
                throw new InvalidListException("a tuple of " + at.size() + " numbers");
            }
            rules.add(new Named(
                    rule.member("id").text(), new Tuple(at.get(0).whole(), at.get(1).whole(), at.get(2).whole())));
        }
        return rules;
    }
}
