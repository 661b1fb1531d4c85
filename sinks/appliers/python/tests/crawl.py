"""A crawl by Scrapy, for tests: python -m tests.crawl --start URL [--rules SOURCE] ...

The crawl follows the links of an origin. Each page is printed as a line: the URL, the URL after
redirects, and the SHA-1 of the words of its text in their order in the dictionary. So a listing
that is sorted otherwise is the same page. The last line is a JSON object of statistics.
"""

import argparse
import hashlib
import html
import json
import re
import sys

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

NO_PAGES = r"\.(pdf|png|gif|svg|zip|bz2|ps)(\.gz)?($|\?)"  # of the crawl of the real sites
_TAGS = re.compile(rb"<(script|style)\b.*?</\1>|<[^>]*>", re.S | re.I)


def page_of(body):
    """A digest of the words of a page."""
    text = html.unescape(_TAGS.sub(b" ", body).decode("utf-8", "replace"))
    return hashlib.sha1(" ".join(sorted(text.split())).encode()).hexdigest()


class Links(Spider):
    name = "links"

    def __init__(self, start, allow="/", **members):
        super().__init__(**members)
        self.start_urls = [start]
        origin = "/".join(start.split("/")[:3])
        self._links = LinkExtractor(allow=f"^{re.escape(origin)}{allow}", deny=NO_PAGES, deny_extensions=[], canonicalize=False, unique=True)

    def parse(self, response):
        first = response.request.meta.get("redirect_urls", [response.url])[0]
        print(first, response.url, page_of(response.body), sep="\t")
        if isinstance(response, HtmlResponse):
            for link in self._links.extract_links(response):
                yield response.follow(link)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", required=True)
    parser.add_argument("--allow", default="/", help="an expression that matches the beginning of a path")
    parser.add_argument("--rules", default=None)
    parser.add_argument("--report", default=None)
    parser.add_argument("--explore", type=int, default=0)
    parser.add_argument("--every", type=float, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = {"LOG_LEVEL": "WARNING", "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0}
    if options.rules:
        settings["REQUEST_FINGERPRINTER_CLASS"] = "dustbuster_rules.scrapy.Fingerprinter"
        settings["DOWNLOADER_MIDDLEWARES"] = {"dustbuster_rules.scrapy.Exploration": 50}
        settings["DUSTBUSTER_RULES"], settings["DUSTBUSTER_EXPLORE"] = options.rules, options.explore
        settings["DUSTBUSTER_HOST"] = options.start.split("/")[2]
        settings["DUSTBUSTER_REPORT"], settings["DUSTBUSTER_EVERY"] = options.report, options.every
    settings.update(one.split("=", 1) for one in options.set)
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Links)
    process.crawl(crawler, start=options.start, allow=options.allow)
    process.start()
    stats = {k: v for k, v in crawler.stats.get_stats().items() if isinstance(v, (int, str, dict))}
    print(json.dumps(stats))
    return 0 if stats.get("finish_reason") == "finished" else 1


if __name__ == "__main__":
    sys.exit(main())
