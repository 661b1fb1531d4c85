package example;

import com.digitalpebble.stormcrawler.Constants;
import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.bolt.FetcherBolt;
import com.digitalpebble.stormcrawler.bolt.JSoupParserBolt;
import com.digitalpebble.stormcrawler.bolt.URLPartitionerBolt;
import com.digitalpebble.stormcrawler.filtering.URLFilters;
import com.digitalpebble.stormcrawler.indexing.DummyIndexer;
import com.digitalpebble.stormcrawler.persistence.MemoryStatusUpdater;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.spout.MemorySpout;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import java.util.Date;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/**
 * An example of a crawler of StormCrawler that asks dustbuster's rules, in one process. The file
 * urlfilters.json of the class path names the filter and the list.
 *
 * <pre>
 * mvn -q package -DskipTests                     # in the folder above
 * java -cp "FOLDER OF urlfilters.json:target/*:target/lib/*" example.Crawl http://127.0.0.1:8080/ [DELAY IN SECONDS]
 * </pre>
 */
public final class Crawl {
    /** The crawl ends after so many seconds without a page or a link. */
    private static final int QUIET_SECONDS = 6;

    private Crawl() {}

    /** Keeps the state of all URLs in memory, and the time of the last news. */
    public static final class Updater extends MemoryStatusUpdater {
        private static final long serialVersionUID = 1;
        static volatile long last;

        @Override
        public void store(String url, Status status, Metadata metadata, Date next, Tuple tuple) throws Exception {
            last = System.nanoTime();
            super.store(url, status, metadata, next, tuple);
        }
    }

    public static void main(String[] args) throws Exception {
        Config conf = new Config();
        conf.putAll(ConfUtils.extractConfigElement(Utils.findAndReadConfigFile("crawler-default.yaml", true)));
        conf.put("urlfilters.config.file", "urlfilters.json");
        conf.put("http.agent.name", "example");
        conf.put("fetcher.server.delay", args.length > 1 ? Double.parseDouble(args[1]) : 1.0);
        conf.put("status.updater.cache.spec", "maximumSize=1000000"); // what was seen
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 3600);
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, 0);

        String start = URLFilters.fromConf(conf).filter(null, new Metadata(), args[0]);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", new MemorySpout(start));
        topology.setBolt("partitioner", new URLPartitionerBolt()).shuffleGrouping("spout");
        topology.setBolt("fetch", new FetcherBolt()).fieldsGrouping("partitioner", new Fields("key"));
        topology.setBolt("parse", new JSoupParserBolt()).localOrShuffleGrouping("fetch");
        topology.setBolt("index", new DummyIndexer()).localOrShuffleGrouping("parse");
        topology.setBolt("status", new Updater())
                .localOrShuffleGrouping("fetch", Constants.StatusStreamName)
                .localOrShuffleGrouping("parse", Constants.StatusStreamName)
                .localOrShuffleGrouping("index", Constants.StatusStreamName);

        LocalCluster cluster = new LocalCluster();
        cluster.submitTopology("crawl", conf, topology.createTopology());
        while (Updater.last == 0 || System.nanoTime() - Updater.last < QUIET_SECONDS * 1_000_000_000L) {
            Thread.sleep(200);
        }
        System.exit(0); // nothing is kept
    }
}
