package example;

import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.util.NutchConfiguration;

/**
 * An example of a crawl by Nutch's own steps in one process, with dustbuster's rules as a normalizer. It ends
 * when no URL is left.
 *
 * <pre>
 * mvn -q package -DskipTests                     # in the folder above
 * java -cp "target/*:target/lib/*" example.Crawl http://127.0.0.1:8080/ FOLDER RULES [HOST] [DELAY IN SECONDS]
 * </pre>
 *
 * <p>FOLDER gets what Nutch keeps. HOST is that of rules that were learned from a log without host names.
 */
public final class Crawl {
    private Crawl() {}

    public static void main(String[] args) throws Exception {
        java.nio.file.Path folder = java.nio.file.Path.of(args[1]).toAbsolutePath();
        Configuration conf = NutchConfiguration.create();
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.set("http.agent.name", "example");
        conf.set("plugin.folders", System.getProperty("plugins", "target/plugins"));
        conf.set("plugin.includes", "nutch-extensionpoints|example|urlnormalizer-dustbuster");
        conf.set("urlnormalizer.order", "dustbuster.rules.nutch.DustbusterURLNormalizer");
        conf.set("db.max.outlinks.per.page", "-1");
        conf.set("dustbuster.rules", args[2]);
        if (args.length > 3) {
            conf.set("dustbuster.rules.host", args[3]);
        }
        conf.set("mapreduce.client.completion.pollinterval", "100"); // the jobs of a small crawl are short
        conf.set("mapreduce.client.progressmonitor.pollinterval", "100");
        conf.set("fetcher.server.delay", args.length > 4 ? args[4] : "1.0");

        java.nio.file.Path seeds = Files.createDirectories(folder.resolve("seeds"));
        Files.writeString(seeds.resolve("urls"), args[0] + "\n");
        Path db = new Path(folder.resolve("crawldb").toString());
        Path segments = new Path(folder.resolve("segments").toString());
        new Injector(conf).inject(db, new Path(seeds.toString()));
        while (true) {
            Path[] segment = new Generator(conf).generate(db, segments, 1, Long.MAX_VALUE, System.currentTimeMillis());
            if (segment == null) {
                return;
            }
            new Fetcher(conf).fetch(segment[0], 1);
            new ParseSegment(conf).parse(segment[0]);
            new CrawlDb(conf).update(db, segment, false, false);
        }
    }
}
