package dustbuster.rules.kafka;

import dustbuster.rules.InvalidListException;
import dustbuster.rules.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fold of one partition of the topic of rules: docs/kafka.md, "Contents of the topics". A ledger
 * belongs to one thread, and reads and writes nothing.
 */
final class Ledger {
    /** A record as held. The value is null if the record has none. */
    private record Held(String value, Tuple tuple) {}

    /** What is held of a site. */
    private static final class Site {
        final Map<String, Held> rules = new HashMap<>(); // by id
        Held marker;
        Held taken; // the marker of the last whole set
        RuleSet set; // the last whole set; null: no rules
    }

    private final Map<String, Site> sites = new TreeMap<>();

    /**
     * Takes in a record, and reports whether the set of its site is another one now. Records for
     * owners, and those that are older than the held ones, change nothing.
     *
     * @param value null if the record has none
     * @throws InvalidListException if the record, or the set that the record makes whole, is malformed;
     *     the site's last set stays
     */
    boolean apply(String key, String value, Tuple tuple) throws InvalidListException {
        String[] parts = key.split("/", -1);
        boolean isMarker = parts.length == 2 && parts[1].equals("set");
        boolean isRule = parts.length == 3 && parts[1].equals("rule") && !parts[2].isEmpty();
        if (!isMarker && !isRule) {
            return false;
        }
        String name = parts[0].replace("%2F", "/").replace("%25", "%");
        Site site = sites.computeIfAbsent(name, n -> new Site());
        Held old = isMarker ? site.marker : site.rules.get(parts[2]);
        if (old != null && tuple.compareTo(old.tuple) < 0) {
            return false;
        }
        Held held = new Held(value, tuple);
        if (isMarker) {
            site.marker = held;
        } else {
            site.rules.put(parts[2], held);
        }
        return renew(name, site);
    }

    /** Takes the marker's set if it is whole and not taken yet. */
    private static boolean renew(String name, Site site) throws InvalidListException {
        if (site.marker == null || site.marker == site.taken) {
            return false;
        }
        List<Marker.Named> named = site.marker.value == null ? List.of() : Marker.read(name, site.marker.value);
        List<String> records = new ArrayList<>();
        for (Marker.Named rule : named) {
            Held held = site.rules.get(rule.id());
            if (held == null || held.value == null || !held.tuple.equals(rule.at())) {
                return false;
            }
            records.add(held.value);
        }
        for (Held held : site.rules.values()) {
            if (held.tuple.compareTo(site.marker.tuple) > 0) {
                return false;
            }
        }
        RuleSet set = records.isEmpty() ? null : RuleSet.parse(records);
        if (set != null && !set.site().equals(name)) {
            throw new InvalidListException("the rules of site \"" + name + "\" are of site \"" + set.site() + "\"");
        }
        if (set != null && set.unknown() == null && !set.ids().equals(named.stream().map(Marker.Named::id).toList())) {
            throw new InvalidListException("a rule of site \"" + name + "\" has not the id of its key");
        }
        site.taken = site.marker;
        site.set = set;
        return true;
    }

    /** Adds the sets of all sites that have rules. */
    void addSets(List<RuleSet> to) {
        sites.values().stream().filter(site -> site.set != null).forEach(site -> to.add(site.set));
    }

    /** Adds a line for each site: its name, and the tuple of its set. */
    void addVersion(StringBuilder to) {
        sites.forEach((name, site) -> {
            if (site.taken != null) {
                to.append(name).append(' ').append(site.taken.tuple).append('\n');
            }
        });
    }
}
