package dustbuster.rules;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One list of rules. A {@code Rules} is immutable, and any number of threads may use it.
 *
 * <p>A crawler normalises a URL as always, fetches the URL as found, uses the canonical form as the
 * key of what was seen, and lets redirects through.
 */
public final class Rules {
    private static final int LONGEST_LIST = 64 << 20; // bytes
    private static final int LONGEST_LINE = 1 << 20; // bytes
    private static final String NEEDS_HOST = "the rules of a log without host names apply to paths alone: "
            + "name their host, such as www.example.org";
    private static final Pattern BLANK = Pattern.compile("[ \t\r]*");

    /** The empty list: every URL is its own canonical form. */
    public static final Rules NONE = new Rules(new Sites(List.of(), null, ""), 0, List.of());

    private final Sites sites;
    private final int count;
    private final List<String> warnings;

    private Rules(Sites sites, int count, List<String> warnings) {
        this.sites = sites;
        this.count = count;
        this.warnings = warnings;
    }

    /** Reads a list, JSON lines, in which no site is by domain. */
    public static Rules parse(String list) throws InvalidListException {
        return parse(list, null);
    }

    /**
     * Reads a list: JSON lines.
     *
     * @param domains gives registrable domains; may be null. Then the hosts of sites by domain have no
     *     rules, and a warning says so.
     * @throws InvalidListException if docs/rules.md refuses the list
     */
    public static Rules parse(String list, Domains domains) throws InvalidListException {
        Map<String, List<Record>> bySite = new LinkedHashMap<>();
        List<String> warnings = new ArrayList<>();
        int number = 0;
        if (Bytes.isLonger(list, LONGEST_LIST)) {
            throw new InvalidListException("a list of more than " + LONGEST_LIST + " bytes");
        }
        for (String line : (list.startsWith("\ufeff") ? list.substring(1) : list).split("\n", -1)) {
            number++;
            if (BLANK.matcher(line).matches()) {
                continue;
            }
            try {
                if (Bytes.isLonger(line, LONGEST_LINE)) {
                    throw new InvalidListException("more than " + LONGEST_LINE + " bytes");
                }
                Record record = Record.read(line);
                if (record != null) {
                    bySite.computeIfAbsent(record.site(), name -> new ArrayList<>()).add(record);
                    if (record.unknown() != null) {
                        warnings.add("line " + number + ": " + record.unknown() + ": site \"" + Bytes.text(record.site()) + "\" has no rules");
                    }
                }
            } catch (InvalidListException e) {
                throw new InvalidListException("line " + number + ": " + e.getMessage());
            }
        }
        return of(bySite.values(), domains, warnings);
    }

    private static Rules of(Collection<List<Record>> bySite, Domains domains, List<String> warnings)
            throws InvalidListException {
        List<SiteRules> sites = new ArrayList<>();
        for (List<Record> records : bySite) {
            sites.add(SiteReader.read(records));
        }
        return join(sites, domains, warnings);
    }

    /**
     * Joins the sets of different sites to a list.
     *
     * @param domains gives registrable domains; may be null
     * @throws InvalidListException if docs/rules.md refuses the sites beside each other
     */
    public static Rules of(Collection<RuleSet> sets, Domains domains) throws InvalidListException {
        List<String> warnings = new ArrayList<>();
        for (RuleSet set : sets) {
            if (set.unknown() != null) {
                warnings.add(set.unknown() + ": site \"" + set.site() + "\" has no rules");
            }
        }
        return join(sets.stream().map(set -> set.site).toList(), domains, warnings);
    }

    private static Rules join(List<SiteRules> sites, Domains domains, List<String> warnings)
            throws InvalidListException {
        SiteReader.check(sites, domains);
        if (domains == null && sites.stream().anyMatch(site -> site.byDomain && !site.isGroup())) {
            warnings.add("no function gives registrable domains: sites by domain have no rules");
        }
        Sites joined = new Sites(sites, domains, "");
        return new Rules(joined, joined.size(), List.copyOf(warnings));
    }

    /** Reads a file. The list is refused if the file is not UTF-8. */
    public static Rules read(Path file, Domains domains) throws IOException, InvalidListException {
        try (InputStream in = Files.newInputStream(file)) {
            return parse(utf8(bytes(in)), domains);
        }
    }

    /** Reads a list, and no further than a list may be long. */
    static byte[] bytes(InputStream in) throws IOException, InvalidListException {
        byte[] list = in.readNBytes(LONGEST_LIST + 1);
        if (list.length > LONGEST_LIST) {
            throw new InvalidListException("a list of more than " + LONGEST_LIST + " bytes");
        }
        return list;
    }

    static String utf8(byte[] list) throws InvalidListException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(list)).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidListException("the list is not UTF-8");
        }
    }

    /** Returns the number of rules that are applied. */
    public int size() {
        return count;
    }

    /**
     * Returns the list for a reader who knows the host of a log without host names: the rules without
     * a site then apply to URLs of this host, and relative URLs are of this host. Without it, such
     * rules apply to relative URLs alone.
     *
     * @param host such as www.example.org, with a port or not; null: none
     * @throws IllegalArgumentException if it is no host
     */
    public Rules forHost(String host) {
        Sites named = sites.named(host == null || host.isEmpty() ? "" : hostNamed(host));
        return new Rules(named, count, warnings);
    }

    private static String hostNamed(String host) {
        String normal = Host.normal(host, "");
        if (normal == null) {
            throw new IllegalArgumentException("\"" + host + "\" is not a host, such as www.example.org");
        }
        return normal;
    }

    /**
     * Reports whether an absolute URL is left alone only because nobody has named the host of the rules
     * of a log without host names.
     */
    public boolean needsHost(String url) {
        String bytes = Bytes.of(url);
        return bytes != null && needsHostBytes(bytes);
    }

    /** Does what needsHost does, for a URL of bytes. */
    boolean needsHostBytes(String url) {
        return sites.needsHost(url);
    }

    /** Returns what of the list is not applied, and why, for people. */
    public List<String> warnings() {
        if (!sites.lacksHost()) {
            return warnings;
        }
        List<String> all = new ArrayList<>(warnings);
        all.add(NEEDS_HOST);
        return List.copyOf(all);
    }

    /**
     * Returns the canonical form of a URL, or the same object if the URL is its own canonical form.
     * No error: a text that is no http or https URL is left alone.
     */
    public String canonical(String url) {
        String bytes = Bytes.of(url);
        if (bytes == null) {
            return url;
        }
        String form = sites.canonical(bytes, null);
        return form == bytes ? url : Bytes.text(form);
    }

    /** Returns the canonical form of a URL given as bytes, one in each character, and its steps. */
    String canonicalBytes(String url, Consumer<Step> each) {
        List<Step> steps = each == null ? null : new ArrayList<>();
        String form = sites.canonical(url, steps);
        if (each != null) {
            steps.forEach(each);
        }
        return form;
    }

    /** Returns the canonical form of a URL and the edits that lead to the form. */
    public Explanation explain(String url) {
        String bytes = Bytes.of(url);
        if (bytes == null) {
            return new Explanation(url, url, null, List.of());
        }
        List<Step> steps = new ArrayList<>();
        String form = sites.canonical(bytes, steps);
        String site = sites.nameFor(bytes);
        return new Explanation(
                url, form == bytes ? url : Bytes.text(form), site == null ? null : Bytes.text(site), List.copyOf(steps));
    }

    /** Returns the list without the rules of some ids. The other rules of their sites go on. */
    public Rules without(Set<String> ids) {
        Sites rest = sites.without(ids);
        return new Rules(rest, rest.size(), warnings);
    }
}
