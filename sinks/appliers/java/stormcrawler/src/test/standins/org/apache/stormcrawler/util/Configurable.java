package org.apache.stormcrawler.util;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Stands in for the interface of StormCrawler 3: the methods that a filter inherits. */
public interface Configurable {
    String getName();

    default void configure(Map<String, Object> conf, JsonNode params) {}

    default void configure(Map<String, Object> conf, JsonNode params, String name) {}
}
