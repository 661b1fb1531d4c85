package dustbuster.rules;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;

/**
 * Gives all URLs of a canonical form the URL of that form that was found first. It is for crawlers that fetch what
 * their filters return: a canonical form is a key, and the site need not answer it, but it has linked each URL found.
 *
 * <p>A {@code Found} keeps a number of forms, with some 300 bytes for each. It forgets the form that nobody asked for
 * longest. The next URL of that form is then fetched, too. Each process finds for itself, so that two
 * processes may fetch a page each once. Any number of threads may ask.
 */
public final class Found {
    /** The forms that {@link #shared} keeps. */
    public static final int USUAL = 200_000;

    private static final Map<Live, Found> SHARED = new WeakHashMap<>(); // guarded by itself

    private final Map<String, String> first; // by form; guarded by this

    /**
     * Makes one that has found nothing yet.
     *
     * @param most the forms kept
     * @throws IllegalArgumentException if it is less than one
     */
    public Found(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(most + " forms to keep: keep one at least");
        }
        first = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> oldest) {
                return size() > most;
            }
        };
    }

    /** Returns the one of a list, the same to all who ask in this process. */
    public static Found shared(Live live) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(live, l -> new Found(USUAL));
        }
    }

    /** Returns the URL to fetch for a URL that a list gives a form: the first that came with the form. */
    public synchronized String of(String url, String form) {
        return Objects.requireNonNullElse(first.putIfAbsent(form, url), url);
    }
}
