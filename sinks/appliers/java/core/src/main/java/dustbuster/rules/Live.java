package dustbuster.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Holds a list of rules that is replaced while any number of threads apply it. A {@code Live} counts,
 * switches rules off, and marks URLs for exploration. Without a list every URL is left alone.
 */
public final class Live {
    /** A list, as given and as applied. */
    private record Version(String name, Rules given, Rules applied) {}

    /**
     * What was asked so far.
     *
     * @param asked the URLs asked
     * @param changed the URLs changed
     * @param byRule by id, the changed URLs in whose change the rule took part
     */
    public record Counts(long asked, long changed, Map<String, Long> byRule) {}

    private final Exploration exploration;
    private final String host; // or null
    private final List<Consumer<String>> callbacks = new CopyOnWriteArrayList<>();
    private final Set<String> off = new HashSet<>(); // guarded by this
    private final LongAdder asked = new LongAdder();
    private final LongAdder changed = new LongAdder();
    private final Map<String, LongAdder> byRule = new ConcurrentHashMap<>();
    private volatile Version version = new Version("", Rules.NONE, Rules.NONE);

    /**
     * Makes a holder that marks one in 1,000 changed URLs for exploration, by a secret that the process
     * draws at random.
     */
    public Live() {
        this(Exploration.usual(null));
    }

    public Live(Exploration exploration) {
        this(exploration, null);
    }

    /**
     * Makes a holder for a host.
     *
     * @param host of relative URLs, and of the rules of a log without host names, as for
     *     {@link Rules#forHost}; may be null
     * @throws IllegalArgumentException if it is no host
     */
    public Live(Exploration exploration, String host) {
        Rules.NONE.forHost(host);
        this.exploration = exploration;
        this.host = host;
    }

    /** Returns the canonical form of a URL, or the same object, as {@link Rules#canonical} does. */
    public String canonical(String url) {
        return explain(url).canonical();
    }

    /** Returns the canonical form of a URL, and how the rules lead to the form. The URL is counted. */
    public Explanation explain(String url) {
        Explanation made = version.applied.explain(url);
        asked.increment();
        if (!made.canonical().equals(url)) {
            changed.increment();
            List<String> counted = new ArrayList<>();
            for (Step step : made.steps()) {
                if (!counted.contains(step.rule())) {
                    counted.add(step.rule());
                    byRule.computeIfAbsent(step.rule(), id -> new LongAdder()).increment();
                }
            }
        }
        return made;
    }

    /**
     * Reports whether a crawler should fetch a URL as found even if the canonical form has been seen:
     * the rules change the URL, and the exploration marks it on the day of a time. The crawler then
     * compares the two pages, and reports them ({@link Reporter}).
     */
    public boolean explores(String url, Instant time) {
        return exploration.marks(url, time) && !version.applied.explain(url).steps().isEmpty();
    }

    /** Sets a list, of a version that identifies the list, and tells those that asked to be told. */
    public void set(Rules rules, String name) {
        Rules given = host == null ? rules : rules.forHost(host);
        synchronized (this) {
            version = new Version(name, given, given.without(off));
        }
        callbacks.forEach(callback -> callback.accept(name));
    }

    /** Returns the version of the list in use: the daemon's ETag or, of a file, the hash of its content. */
    public String version() {
        return version.name;
    }

    /** Returns the list in use, without the rules that are switched off. */
    public Rules rules() {
        return version.applied;
    }

    /** Calls a function with the version of each list that is set from now on. */
    public void onChange(Consumer<String> callback) {
        callbacks.add(callback);
    }

    /** Switches the rule of an id off, also in lists to come. The other rules of its site go on. */
    public synchronized void switchOff(String id) {
        off.add(id);
        version = new Version(version.name, version.given, version.given.without(off));
    }

    /** Switches the rule of an id on again. */
    public synchronized void switchOn(String id) {
        off.remove(id);
        version = new Version(version.name, version.given, version.given.without(off));
    }

    /** Returns the counts since the start. */
    public Counts counts() {
        Map<String, Long> rules = new TreeMap<>();
        byRule.forEach((id, count) -> rules.put(id, count.sum()));
        return new Counts(asked.sum(), changed.sum(), rules);
    }
}
