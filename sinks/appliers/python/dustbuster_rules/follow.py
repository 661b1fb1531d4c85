"""Following a list in the background."""

from __future__ import annotations

import threading
from typing import Callable, Optional

from .domains import Domain, installed
from .explore import ONE_IN
from .live import Live
from .sources import Source, source_of, split_topic

Failed = Callable[[Exception], None]

_PATIENCE = 60  # seconds, for a topic to be read


class Following(Live):
    """The present rules of a file or a daemon. Ends with the process, or with close."""

    def __init__(
        self,
        source: str,
        every: float = 60,
        domain: Optional[Domain] = None,
        one_in: int = ONE_IN,
        changed: Optional[Callable[[str], None]] = None,
        failed: Optional[Failed] = None,
        secret: Optional[str] = None,
        host: Optional[str] = None,
    ):
        super().__init__(domain or installed(), one_in, changed, secret, host)
        self._source = source_of(source)
        self._failed = failed or (lambda e: None)
        self._stop = threading.Event()
        first = self._source.newer()
        assert first is not None
        self.set(*first)
        self._thread = threading.Thread(target=self._run, args=(every,), name="dustbuster rules", daemon=True)
        self._thread.start()

    def _run(self, every: float) -> None:
        while not self._stop.wait(every):
            refresh(self, self._source, self._failed)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


def refresh(rules: Live, source: Source, failed: Failed) -> None:
    """Set the newest list of a source. After an error the rules stay, and failed is called."""
    try:
        newer = source.newer()
        if newer is not None:
            rules.set(*newer)
    except (OSError, ValueError) as e:
        failed(e)


def follow(
    source: str,
    every: float = 60,
    domain: Optional[Domain] = None,
    one_in: int = ONE_IN,
    changed: Optional[Callable[[str], None]] = None,
    failed: Optional[Failed] = None,
    secret: Optional[str] = None,
    host: Optional[str] = None,
) -> Live:
    """Read the rules of a source, and follow them in the background. A source is a file, the
    address of a daemon, or kafka://BROKERS/TOPIC for the topic of rules, which needs
    confluent-kafka. Raise RefusedError or OSError if the first list cannot be read.

    A file and a daemon are asked again every so many seconds. Without a function for
    registrable domains, tldextract or publicsuffix2 is used if one of them is installed.
    failed is called with each later error, and the rules stay. secret chooses what is explored,
    and host is that of relative URLs and of rules without a host, as for Live.
    """
    topic = split_topic(source)
    if topic is None:
        return Following(source, every, domain, one_in, changed, failed, secret, host)
    from .topic import Topic

    rules = Topic({"bootstrap.servers": topic[0]}, topic[1], domain, one_in, changed, failed, secret=secret, host=host)
    rules.wait(_PATIENCE)
    return rules
