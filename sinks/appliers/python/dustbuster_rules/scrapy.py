"""Rules in Scrapy: pages are fetched under the URLs as found, and one key stands for all
URLs of a page.

    REQUEST_FINGERPRINTER_CLASS = "dustbuster_rules.scrapy.Fingerprinter"
    DUSTBUSTER_RULES = "http://127.0.0.1:9464"       # or a file, or kafka://kafka-1:9092/dust.rules
    DOWNLOADER_MIDDLEWARES = {"dustbuster_rules.scrapy.Exploration": 50}
    DUSTBUSTER_REPORT = "http://127.0.0.1:9464"
"""

from __future__ import annotations

import logging
from typing import Any, Optional
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.request import fingerprint
from twisted.internet.threads import deferToThread

from .explore import ONE_IN, Exploration as Explored
from .follow import follow
from .live import Live
from .reports import reporter_of

logger = logging.getLogger(__name__)

#: The member of a request's meta that marks a request for exploration.
EXPLORED = "dustbuster_explored"

_METHODS = ("GET", "HEAD")


class Fingerprinter:
    """Gives a request the fingerprint of its canonical form. So the first URL of each form
    is fetched, as it was found.

    Requests that do not only read (POST) keep Scrapy's own fingerprints. So does a redirect
    to another URL of the same form: else the page would be lost, as its form was seen. And
    so does a URL that is explored.
    """

    def __init__(self, rules: Live):
        self.rules = rules
        self._known: "WeakKeyDictionary[Request, bytes]" = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Any) -> "Fingerprinter":
        settings = crawler.settings
        rules = follow(
            settings["DUSTBUSTER_RULES"],
            every=settings.getfloat("DUSTBUSTER_EVERY", 60),
            one_in=settings.getint("DUSTBUSTER_EXPLORE", ONE_IN),
            secret=settings.get("DUSTBUSTER_EXPLORE_SECRET"),
            host=settings.get("DUSTBUSTER_HOST"),
            failed=lambda e: logger.warning("the rules stay as they are: %s", e),
        )
        if rules.problem:
            logger.warning("%s (here DUSTBUSTER_HOST)", rules.problem)

        def closed() -> None:
            rules.close()
            for name, value in rules.counts._asdict().items():
                crawler.stats.set_value(f"dustbuster/{name}", value)

        crawler.signals.connect(closed, signal=signals.spider_closed, weak=False)
        return cls(rules)

    def canonicalize(self, url: str) -> str:
        """Return the canonical form of a URL, without counting: for the spider's own keys."""
        return self.rules.form(url)

    def fingerprint(self, request: Request) -> bytes:
        known = self._known.get(request)
        if known is None:
            known = self._known[request] = fingerprint(self._keyed(request))
        return known

    def _keyed(self, request: Request) -> Request:
        """Return the request whose fingerprint counts."""
        if request.method not in _METHODS or EXPLORED in request.meta:
            return request
        form = self.rules.canonical(request.url)
        if form == request.url:
            return request
        if any(self.rules.form(url) == form for url in request.meta.get("redirect_urls", ())):
            return request
        explored = self.rules.explore(request.url)
        if explored is not None:
            request.meta[EXPLORED] = list(explored)  # may have to go through a queue on disk
            return request
        return Request(form, method=request.method, body=request.body, meta=request.meta)


class Exploration:
    """A downloader middleware that compares the page of an explored URL with the page of its
    canonical form, and reports both to the daemon. The page of the explored URL goes to the
    spider like any other. The form is fetched besides, and is not given to the spider."""

    def __init__(self, crawler: Any, reporter: Optional[Any], name: str):
        self._crawler = crawler
        self._reporter = reporter
        self._name = name

    @classmethod
    def from_crawler(cls, crawler: Any) -> "Exploration":
        address = crawler.settings["DUSTBUSTER_REPORT"]
        reporter = reporter_of(address) if address else None
        if reporter is not None:
            crawler.signals.connect(reporter.close, signal=signals.spider_closed)
        return cls(crawler, reporter, crawler.settings["BOT_NAME"])

    async def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        mark = request.meta.get(EXPLORED)
        if mark is not None and 200 <= response.status < 300:
            try:
                await self._explore(Explored(*mark), response)
            except Exception as e:  # whatever happens to the form, the page is the spider's
                self._count("failed")
                logger.warning("no report of %s: %s", mark[1], e)
        return response

    async def _explore(self, explored: Explored, found: Response) -> None:
        canonical = await self._download(Request(explored.canonical, meta={EXPLORED: None}))
        self._count("alike" if found.body == canonical.body else "different")
        if self._reporter is not None:
            report = explored.report(found.body, canonical.body, self._name)
            await maybe_deferred_to_future(deferToThread(self._reporter.send, report))
            self._count("reported")

    async def _download(self, request: Request) -> Response:
        engine = self._crawler.engine
        if hasattr(engine, "download_async"):
            response: Response = await engine.download_async(request)
        else:  # Scrapy before 2.14
            response = await maybe_deferred_to_future(engine.download(request))
        return response

    def _count(self, what: str) -> None:
        self._crawler.stats.inc_value(f"dustbuster/explored/{what}")
