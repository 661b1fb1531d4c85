package dustbuster.rules;

import java.util.ArrayList;
import java.util.List;

/** The rules of one site, that were published together. Immutable. */
public final class RuleSet {
    final SiteRules site;
    private final String unknown; // or null

    private RuleSet(SiteRules site, String unknown) {
        this.site = site;
        this.unknown = unknown;
    }

    /**
     * Reads the records of a site, of which there must be at least one, in the order of application.
     * The ranks in the records do not count.
     *
     * @throws InvalidListException if docs/rules.md refuses a list of these records, or a record is not
     *     valid
     */
    public static RuleSet parse(List<String> records) throws InvalidListException {
        List<Record> read = new ArrayList<>();
        String unknown = null;
        for (String text : records) {
            Record record = Record.read(text);
            if (record == null) {
                throw new InvalidListException("a record of a set is not valid");
            }
            if (!read.isEmpty() && !record.site().equals(read.get(0).site())) {
                throw new InvalidListException("the records of a set are of different sites");
            }
            unknown = unknown == null ? record.unknown() : unknown;
            read.add(record);
        }
        return new RuleSet(SiteReader.inOrder(read), unknown);
    }

    /** Returns the name of the site. */
    public String site() {
        return Bytes.text(site.name);
    }

    /** Returns the ids of the rules, in order. There are none if one of the rules is unknown. */
    public List<String> ids() {
        return site.rules == null ? List.of() : site.rules.stream().map(rule -> rule.id).toList();
    }

    /** Returns what makes the set unknown to this version, so that its rules are not applied, or null. */
    public String unknown() {
        return unknown;
    }
}
