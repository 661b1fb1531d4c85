package dustbuster.rules.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.URLFilter;
import com.fasterxml.jackson.databind.JsonNode;
import crawlercommons.domains.EffectiveTldFinder;
import dustbuster.rules.Follower;
import dustbuster.rules.Live;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives StormCrawler the canonical form of a URL. The parameters in the file of URL filters are
 * {@code rules}, a file of rules or the address of a daemon; {@code token}, the daemon's token, if it
 * has one; {@code interval}, the seconds between two looks at the source, 60 if absent; and
 * {@code secret}, the secret of exploration, a text of at least 16 bytes. If the secret is absent, each
 * process draws one at random.
 *
 * <p>All filters of one process with the same parameters share one list. A list that cannot be read at
 * the start is an error. Later the old list stays.
 */
public final class DustbusterURLFilter implements URLFilter {
    private static final Logger LOG = LoggerFactory.getLogger(DustbusterURLFilter.class);

    private Live live = new Live();

    @Override
    @SuppressWarnings("rawtypes") // StormCrawler's own signature
    public void configure(Map conf, JsonNode params) {
        String source = params.path("rules").asText("");
        if (source.isEmpty()) {
            throw new IllegalArgumentException("rules is not set: name a file of rules, or a daemon");
        }
        String token = params.path("token").asText(null);
        Duration every = Duration.ofSeconds(params.path("interval").asInt(60));
        String secret = params.path("secret").asText(null);
        live = Follower.shared(source, token, every, secret, EffectiveTldFinder::getAssignedDomain,
                e -> LOG.warn("the old rules stay: read {}", source, e));
        live.rules().warnings().forEach(LOG::warn);
        LOG.info("{} rules of {}", live.rules().size(), source);
    }

    /** Returns the list in use, for counts, exploration and switching rules off. */
    public Live live() {
        return live;
    }

    @Override
    public String filter(URL source, Metadata metadata, String url) {
        return url == null ? null : live.canonical(url);
    }
}
