package org.apache.stormcrawler.util;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Stands in for the class of StormCrawler 3, which keeps the name and calls the filter's own method. */
public abstract class AbstractConfigurable implements Configurable {
    private String name;

    @Override
    public String getName() {
        return name;
    }

    @Override
    public void configure(Map<String, Object> conf, JsonNode params, String name) {
        this.name = name;
        configure(conf, params);
    }
}
