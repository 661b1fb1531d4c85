package dustbuster.rules.nutch;

import crawlercommons.domains.EffectiveTldFinder;
import dustbuster.rules.Follower;
import dustbuster.rules.Found;
import dustbuster.rules.Live;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.URLNormalizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Nutch one URL of each canonical form. The properties are
 *
 * <ul>
 *   <li>{@code dustbuster.rules}: a file of rules, or the address of a daemon;
 *   <li>{@code dustbuster.rules.token}: the daemon's token, if it has one;
 *   <li>{@code dustbuster.rules.interval}: seconds between two looks at the source, 60 if absent;
 *   <li>{@code dustbuster.rules.host}: the host of rules that were learned from a log without host
 *       names, such as {@code www.example.org}; if absent, such rules change no absolute URL;
 *   <li>{@code dustbuster.rules.secret}: the secret of exploration, a text of at least 16 bytes; if
 *       absent, each process draws one at random;
 *   <li>{@code dustbuster.rules.fetch}: {@code found} or {@code canonical}. By default the normalizer
 *       returns the first URL found of a form ({@link Found}), since Nutch fetches what normalizers
 *       return. {@code canonical} returns the form itself, for sites that answer their canonical forms.
 * </ul>
 *
 * <p>All normalizers of one process with the same properties share one list. A list that cannot be
 * read at the start is an error, since keys made without rules would differ from all others. Later
 * the old list stays.
 */
public final class DustbusterURLNormalizer implements URLNormalizer {
    private static final Logger LOG = LoggerFactory.getLogger(DustbusterURLNormalizer.class);

    private Configuration conf;
    private Live live = new Live();
    private boolean canonical;

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        if (conf == null) {
            return;
        }
        String source = conf.getTrimmed("dustbuster.rules");
        if (source == null || source.isEmpty()) {
            throw new IllegalArgumentException("dustbuster.rules is not set: name a file of rules, or a daemon");
        }
        Duration every = Duration.ofSeconds(conf.getInt("dustbuster.rules.interval", 60));
        live = Follower.shared(
                source, conf.get("dustbuster.rules.token"), every, conf.get("dustbuster.rules.secret"),
                conf.getTrimmed("dustbuster.rules.host"),
                EffectiveTldFinder::getAssignedDomain, e -> LOG.warn("the old rules stay: read {}", source, e));
        String fetch = conf.getTrimmed("dustbuster.rules.fetch", "found");
        if (!fetch.equals("found") && !fetch.equals("canonical")) {
            throw new IllegalArgumentException("dustbuster.rules.fetch is " + fetch + ": it is found or canonical");
        }
        canonical = fetch.equals("canonical");
        live.rules().warnings().forEach(LOG::warn);
        LOG.info("{} rules of {}", live.rules().size(), source);
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    /** Returns the list in use, for counts, exploration and switching rules off. */
    public Live live() {
        return live;
    }

    @Override
    public String normalize(String url, String scope) {
        if (url == null) {
            return null;
        }
        String form = live.canonical(url);
        return canonical ? form : Found.shared(live).of(url, form);
    }
}
