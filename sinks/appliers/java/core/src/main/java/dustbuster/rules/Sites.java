package dustbuster.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sites of a list: which rules count for a host. Immutable. Texts are byte strings. */
final class Sites {
    private final List<SiteRules> all;
    private final Domains domains; // may be null
    private final String named; // the host of relative URLs and of the site without a name, or empty
    private final Map<String, SiteRules> hosts = new HashMap<>();
    private final Map<String, SiteRules> byDomain = new HashMap<>();
    private final Map<String, SiteRules> groups = new HashMap<>(); // by name
    private final Map<String, SiteRules> members = new HashMap<>(); // by host of a group
    private final Map<String, SiteRules> patterns = new HashMap<>(); // by what follows the star: ".example.org"

    Sites(List<SiteRules> all, Domains domains, String named) {
        this.all = all;
        this.domains = domains;
        this.named = named;
        for (SiteRules site : all) {
            if (!site.isGroup()) {
                (site.byDomain ? byDomain : hosts).put(site.name, site);
                continue;
            }
            groups.put(site.name, site);
            for (String host : site.hosts) {
                if (host.startsWith("*.")) {
                    patterns.put("." + Host.normal(host.substring(2), ""), site);
                } else {
                    members.put(Host.normal(host, ""), site);
                }
            }
        }
    }

    Sites without(Set<String> ids) {
        List<SiteRules> rest = new ArrayList<>();
        all.forEach(site -> rest.add(site.without(ids)));
        return new Sites(rest, domains, named);
    }

    /** Returns the same sites for a host in normal form, or for none, "". */
    Sites named(String host) {
        return new Sites(all, domains, host);
    }

    /** Reports whether the only rules that may be those of an absolute URL are of a site without a name, whose host is not named. */
    boolean needsHost(String url) {
        Address address = lacksHost() ? Address.of(url, named) : null;
        return address != null && !address.isRelative() && find(address.host()) == null;
    }

    /** Reports whether there are rules of a site without a name, whose host is not named. */
    boolean lacksHost() {
        SiteRules site = hosts.get("");
        return named.isEmpty() && site != null && site.rules != null && !site.rules.isEmpty();
    }

    /** Returns the number of rules. */
    int size() {
        return all.stream().mapToInt(site -> site.rules == null ? 0 : site.rules.size()).sum();
    }

    /**
     * Returns the canonical form of a URL, or the same object if the form is the URL. Steps may be
     * null; else the steps that have an effect are added to the empty list.
     */
    String canonical(String url, List<Step> steps) {
        Address address = Address.of(url, named);
        SiteRules site = address == null ? null : find(address.host());
        if (site == null || site.rules == null) {
            return url;
        }
        boolean several = site.hasSeveralHosts();
        String text = several ? address.host() + address.path() : address.path();
        if (text.length() > Address.LONGEST_TEXT) {
            return url;
        }
        String form = site.canonical(text, steps);
        String made = form.equals(text) ? null : several ? resolve(address, form, site) : at(address, form);
        if (made == null) { // no edit has an effect
            if (steps != null) {
                steps.clear();
            }
            made = address.origin() + address.path();
        }
        made += address.fragment();
        return made.equals(url) ? url : made;
    }

    /** Returns the name of the site whose rules are applied to a URL, or null. */
    String nameFor(String url) {
        Address address = Address.of(url, named);
        SiteRules site = address == null ? null : find(address.host());
        return site == null || site.rules == null ? null : site.name;
    }

    /** Returns the URL of a form that begins with a host, or null if the form has no effect. */
    private String resolve(Address address, String form, SiteRules site) {
        int slash = form.indexOf('/');
        if (slash < 0) {
            return null;
        }
        String host = form.substring(0, slash);
        if (host.equals(address.host())) {
            return at(address, form.substring(slash));
        }
        if (address.isRelative() || !host.equals(Host.normal(host, address.defaultPort())) || !isWithin(host, address.host(), site)) {
            return null;
        }
        return address.scheme() + form;
    }

    /** Returns the URL of a path, or null if a relative URL would name another host. */
    private static String at(Address address, String path) {
        return address.isRelative() && !Address.isRelative(path) ? null : address.origin() + path;
    }

    private boolean isWithin(String host, String old, SiteRules site) {
        SiteRules group = group(host);
        if (site.isGroup()) {
            return group == site;
        }
        return group == null && registrable(host, domains).equals(registrable(old, domains));
    }

    /** Returns the site whose rules count for a host in normal form, or null. */
    private SiteRules find(String host) {
        SiteRules site = groups.isEmpty() ? null : group(host);
        if (site == null) {
            site = hosts.get(host);
        }
        if (site == null && !byDomain.isEmpty()) {
            site = domain(Host.withoutPort(host));
        }
        return site == null && host.equals(named) ? hosts.get("") : site;
    }

    private SiteRules group(String host) {
        String name = Host.withoutPort(host);
        SiteRules site = groups.get(name);
        if (site == null) {
            site = members.get(name);
        }
        for (int dot = name.indexOf('.'); site == null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            site = patterns.get(name.substring(dot));
        }
        return site;
    }

    /** Returns the site by domain of a name. Looking among the name's parents is cheap. */
    private SiteRules domain(String name) {
        for (String parent = name; ; parent = parent.substring(parent.indexOf('.') + 1)) {
            SiteRules site = byDomain.get(parent);
            if (site != null && domains == null && !Host.isOwnDomain(name)) { // the name's domain is not known
                return new SiteRules(site.name, true, List.of(), null);
            }
            if (site != null && registrable(name, domains).equals(parent)) {
                return site;
            }
            if (parent.indexOf('.') < 0) {
                return null;
            }
        }
    }

    /** Returns the registrable domain of a host. Domains may be null: then only some hosts have one. */
    static String registrable(String host, Domains domains) {
        String name = Host.withoutPort(host);
        if (Host.isOwnDomain(name) || domains == null) {
            return name;
        }
        String domain = domains.registrable(name);
        return domain == null ? name : domain;
    }
}
