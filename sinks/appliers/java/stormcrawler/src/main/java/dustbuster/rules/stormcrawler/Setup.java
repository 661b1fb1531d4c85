package dustbuster.rules.stormcrawler;

import com.fasterxml.jackson.databind.JsonNode;
import crawlercommons.domains.EffectiveTldFinder;
import dustbuster.rules.Follower;
import dustbuster.rules.Found;
import dustbuster.rules.Live;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the parameters of a filter, which are the same for each version of StormCrawler. */
final class Setup {
    private static final Logger LOG = LoggerFactory.getLogger(Setup.class);

    private Setup() {}

    /** Returns the list that the parameters name, which follows its source. */
    static Live live(JsonNode params) {
        String source = params.path("rules").asText("");
        if (source.isEmpty()) {
            throw new IllegalArgumentException("rules is not set: name a file of rules, or a daemon");
        }
        String token = params.path("token").asText(null);
        Duration every = Duration.ofSeconds(params.path("interval").asInt(60));
        String secret = params.path("secret").asText(null);
        String host = params.path("host").asText(null);
        Live live = Follower.shared(source, token, every, secret, host, EffectiveTldFinder::getAssignedDomain,
                e -> LOG.warn("the old rules stay: read {}", source, e));
        live.rules().warnings().forEach(LOG::warn);
        LOG.info("{} rules of {}", live.rules().size(), source);
        return live;
    }

    /** Reports whether the filter returns canonical forms, in place of URLs found. */
    static boolean canonical(JsonNode params) {
        String fetch = params.path("fetch").asText("found");
        if (!fetch.equals("found") && !fetch.equals("canonical")) {
            throw new IllegalArgumentException("fetch is \"" + fetch + "\": it is found or canonical");
        }
        return fetch.equals("canonical");
    }

    static String filter(Live live, boolean canonical, String url) {
        String form = live.canonical(url);
        return canonical ? form : Found.shared(live).of(url, form);
    }
}
