package example;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Finds the text and the links of a page. */
public final class Html implements Parser {
    private Configuration conf;

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public ParseResult getParse(Content content) {
        try {
            Document page = Jsoup.parse(new ByteArrayInputStream(content.getContent()), null, content.getBaseUrl());
            List<Outlink> links = new ArrayList<>();
            for (Element a : page.select("a[href]")) {
                if (a.absUrl("href").startsWith("http")) {
                    links.add(new Outlink(a.absUrl("href"), a.text()));
                }
            }
            ParseData data = new ParseData(ParseStatus.STATUS_SUCCESS, page.title(), links.toArray(new Outlink[0]), content.getMetadata());
            return ParseResult.createParseResult(content.getUrl(), new ParseImpl(page.text(), data));
        } catch (IOException e) {
            return new ParseStatus(e).getEmptyParseResult(content.getUrl(), conf);
        }
    }
}
