package org.apache.stormcrawler.filtering;

import java.net.URL;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.util.AbstractConfigurable;

/** Stands in for the class of StormCrawler 3, with the same signatures. */
public abstract class URLFilter extends AbstractConfigurable {
    public abstract String filter(URL sourceUrl, Metadata sourceMetadata, String urlToFilter);
}
