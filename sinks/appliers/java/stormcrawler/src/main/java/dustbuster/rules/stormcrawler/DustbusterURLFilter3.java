package dustbuster.rules.stormcrawler;

import com.fasterxml.jackson.databind.JsonNode;
import dustbuster.rules.Live;
import java.net.URL;
import java.util.Map;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.filtering.URLFilter;

/**
 * Gives StormCrawler 3 ({@code org.apache.stormcrawler}) the canonical form of a URL. The parameters
 * in the file of URL filters are {@code rules}, a file of rules or the address of a daemon;
 * {@code token}, the daemon's token, if it has one; {@code interval}, the seconds between two looks at
 * the source, 60 if absent; and {@code secret}, the secret of exploration, a text of at least 16 bytes.
 * If the secret is absent, each process draws one at random.
 *
 * <p>{@code host} is the host of rules that were learned from a log without host names. If it is
 * absent, such rules change no absolute URL.
 *
 * <p>The filter returns the first URL found of a form, as {@link dustbuster.rules.Found} says, since
 * StormCrawler fetches what filters return. {@code "fetch": "canonical"} returns the form itself, for
 * sites that answer their canonical forms.
 *
 * <p>All filters of one process with the same parameters share one list. A list that cannot be read at
 * the start is an error. Later the old list stays.
 */
public final class DustbusterURLFilter3 extends URLFilter {
    private Live live = new Live();
    private boolean canonical;

    @Override
    public void configure(Map<String, Object> conf, JsonNode params) {
        live = Setup.live(params);
        canonical = Setup.canonical(params);
    }

    /** Returns the list in use, for counts, exploration and switching rules off. */
    public Live live() {
        return live;
    }

    @Override
    public String filter(URL source, Metadata metadata, String url) {
        return url == null ? null : Setup.filter(live, canonical, url);
    }
}
