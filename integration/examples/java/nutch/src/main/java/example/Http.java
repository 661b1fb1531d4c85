package example;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRules.RobotRulesMode;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;

/** Fetches pages. Redirects are left to Nutch. */
public final class Http implements Protocol {
    private static final Map<String, BaseRobotRules> ROBOTS = new ConcurrentHashMap<>();
    private Configuration conf;

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    private HttpURLConnection open(URL url) throws IOException {
        HttpURLConnection c = (HttpURLConnection) url.openConnection();
        c.setInstanceFollowRedirects(false);
        c.setConnectTimeout(10_000);
        c.setReadTimeout(10_000);
        c.setRequestProperty("User-Agent", conf.get("http.agent.name"));
        return c;
    }

    @Override
    public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
        try {
            HttpURLConnection c = open(new URL(url.toString()));
            int code = c.getResponseCode();
            if (code >= 300 && code < 400 && c.getHeaderField("Location") != null) {
                return new ProtocolOutput(null, new ProtocolStatus(ProtocolStatus.MOVED, new URL(c.getURL(), c.getHeaderField("Location"))));
            }
            if (code != 200) {
                return new ProtocolOutput(null, new ProtocolStatus(code == 404 ? ProtocolStatus.NOTFOUND : ProtocolStatus.EXCEPTION, "status " + code));
            }
            try (InputStream in = c.getInputStream()) {
                Content content = new Content(url.toString(), url.toString(), in.readAllBytes(), c.getContentType(), new Metadata(), conf);
                return new ProtocolOutput(content);
            }
        } catch (IOException e) {
            return new ProtocolOutput(null, new ProtocolStatus(e));
        }
    }

    /** Reads robots.txt once for each host. If it cannot be read, nothing of the host is fetched. */
    @Override
    public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxtContent) {
        try {
            URL robots = new URL(new URL(url.toString()), "/robots.txt");
            return ROBOTS.computeIfAbsent(robots.toString(), at -> read(robots));
        } catch (IOException e) {
            return new SimpleRobotRules(RobotRulesMode.ALLOW_NONE);
        }
    }

    private BaseRobotRules read(URL robots) {
        try {
            HttpURLConnection c = open(robots);
            if (c.getResponseCode() == 404) {
                return new SimpleRobotRules(RobotRulesMode.ALLOW_ALL);
            }
            try (InputStream in = c.getInputStream()) {
                return new SimpleRobotRulesParser().parseContent(robots.toString(), in.readAllBytes(), "text/plain", List.of(conf.get("http.agent.name")));
            }
        } catch (IOException e) {
            return new SimpleRobotRules(RobotRulesMode.ALLOW_NONE);
        }
    }
}
