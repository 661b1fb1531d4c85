package dustbuster.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The rules of one site, in their order. Immutable. */
final class SiteRules {
    private static final int ROUNDS = 10;

    final String name;
    final boolean byDomain;
    final List<String> hosts;
    final List<Rule> rules; // null if one of the rules is unknown
    private volatile Index index; // made when first needed: most sites of a list are never asked

    SiteRules(String name, boolean byDomain, List<String> hosts, List<Rule> rules) {
        this.name = name;
        this.byDomain = byDomain;
        this.hosts = hosts;
        this.rules = rules;
    }

    boolean isGroup() {
        return !hosts.isEmpty();
    }

    /** Reports whether texts begin with the host. */
    boolean hasSeveralHosts() {
        return byDomain || isGroup();
    }

    /** Returns the site without the rules of some ids. */
    SiteRules without(Set<String> ids) {
        if (rules == null || rules.stream().noneMatch(rule -> ids.contains(rule.id))) {
            return this;
        }
        return new SiteRules(name, byDomain, hosts, rules.stream().filter(rule -> !ids.contains(rule.id)).toList());
    }

    /**
     * Returns the canonical form of a text, or the same object if the text has not settled. The
     * steps are added to a list, if there is one; the list is only right if the form is another text.
     */
    String canonical(String text, List<Step> steps) {
        Index index = index();
        String now = text;
        long[] candidates = index.candidates(now);
        for (int round = 0; round < ROUNDS; round++) {
            String before = now;
            for (int i = Index.next(candidates, 0); i >= 0; i = Index.next(candidates, i + 1)) {
                String out = rules.get(i).apply(now);
                if (out == now) {
                    continue;
                }
                if (out.length() > Address.LONGEST_TEXT) {
                    return text;
                }
                index.addEdited(now, out, candidates);
                now = out;
                if (steps != null) {
                    steps.add(new Step(rules.get(i).id, now));
                }
            }
            if (now.equals(before)) {
                return now;
            }
        }
        return text;
    }

    private Index index() {
        Index made = index;
        if (made == null) { // two threads may make one each: both are right
            made = new Index(new ArrayList<>(rules));
            index = made;
        }
        return made;
    }
}
