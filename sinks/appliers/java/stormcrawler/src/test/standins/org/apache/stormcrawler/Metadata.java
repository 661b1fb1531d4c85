package org.apache.stormcrawler;

/** Stands in for the class of StormCrawler 3, of which the filter uses nothing but the type. */
public class Metadata {}
