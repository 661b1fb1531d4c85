"""An example of a spider that knows nothing of rules: settings alone give them to it.

    scrapy runspider spider.py -a start=http://127.0.0.1:8080/ \\
        -s REQUEST_FINGERPRINTER_CLASS=dustbuster_rules.scrapy.Fingerprinter \\
        -s DUSTBUSTER_RULES=rules.jsonl -s DUSTBUSTER_HOST=127.0.0.1:8080

Without these settings, it fetches each URL once.
"""

from urllib.parse import urlsplit

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Site(CrawlSpider):
    name = "site"
    rules = [Rule(LinkExtractor())]

    def __init__(self, start: str, **more: str):
        self.start_urls = [start]
        self.allowed_domains = [urlsplit(start).hostname]
        super().__init__(**more)
