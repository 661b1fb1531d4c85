package dustbuster.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes sites of records, and refuses what docs/rules.md refuses. */
final class SiteReader {
    private static final long LARGEST_SITE = 16 << 20; // the size of the rules

    private SiteReader() {}

    /** Makes the site of the valid records of one name, of which there is at least one. */
    static SiteRules read(List<Record> records) throws InvalidListException {
        List<Record> sorted = new ArrayList<>(records);
        sorted.sort(Comparator.comparingLong(Record::rank));
        for (int i = 1; i < sorted.size(); i++) {
            Record record = sorted.get(i);
            if (record.rank() == sorted.get(i - 1).rank()) {
                throw wrong(record.site(), "two rules of the rank " + record.rank());
            }
        }
        return inOrder(sorted);
    }

    /** Makes the site of records in the order of application. */
    static SiteRules inOrder(List<Record> records) throws InvalidListException {
        Record first = records.get(0);
        List<Rule> rules = new ArrayList<>();
        for (Record record : records) {
            if (record.byDomain() != first.byDomain() || !record.hosts().equals(first.hosts())) {
                throw wrong(first.site(), "the records disagree on by_domain or hosts");
            }
            if (record.rule() != null) {
                rules.add(record.rule());
            }
        }
        boolean unknown = rules.size() < records.size();
        long size = records.stream().mapToLong(Record::size).sum();
        if (!unknown && size > LARGEST_SITE) {
            throw wrong(first.site(), records.size() + " rules of the size " + size + ", more than " + LARGEST_SITE);
        }
        return new SiteRules(
                first.site(), first.byDomain(), List.copyOf(first.hosts()), unknown ? null : List.copyOf(rules));
    }

    /** Refuses names of sites and hosts that are not valid. Domains may be null. */
    static void check(List<SiteRules> sites, Domains domains) throws InvalidListException {
        Map<String, String> groups = new HashMap<>(); // by host or pattern
        Set<String> byDomain = new HashSet<>();
        sites.stream().filter(site -> site.byDomain && !site.isGroup()).forEach(site -> byDomain.add(site.name));
        for (SiteRules site : sites) {
            if (site.isGroup()) {
                checkHosts(site, groups);
            } else if (site.byDomain || !site.name.isEmpty()) {
                checkName(site, domains);
                if (!site.byDomain && domains != null && byDomain.contains(Sites.registrable(site.name, domains))) {
                    throw wrong(site.name, "the host's domain is a site too");
                }
            }
        }
    }

    private static void checkHosts(SiteRules site, Map<String, String> groups) throws InvalidListException {
        if (site.name.isEmpty()) {
            throw wrong(site.name, "a group without a name");
        }
        for (String host : site.hosts) {
            String name = Host.normal(host.startsWith("*.") ? host.substring(2) : host, "");
            if (name == null || !Host.withoutPort(name).equals(name)) {
                throw wrong(site.name, "\"" + host + "\" is not the name of a host");
            }
            String other = groups.put(host.startsWith("*.") ? "*." + name : name, site.name);
            if (other != null && !other.equals(site.name)) {
                throw wrong(site.name, "host \"" + host + "\" is in group \"" + other + "\" as well");
            }
        }
    }

    private static void checkName(SiteRules site, Domains domains) throws InvalidListException {
        if (!site.name.equals(Host.normal(site.name, ""))) {
            throw wrong(site.name, "not a host in normal form");
        }
        if (site.byDomain && domains != null && !site.name.equals(Sites.registrable(site.name, domains))) {
            throw wrong(site.name, "not a registrable domain");
        }
    }

    private static InvalidListException wrong(String site, String why) {
        return new InvalidListException("site \"" + Bytes.text(site) + "\": " + why);
    }
}
