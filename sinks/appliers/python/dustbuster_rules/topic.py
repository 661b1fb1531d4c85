"""Following the topic of rules, with confluent-kafka.

A Topic joins no group and writes nothing: it needs the permission to read the topic. Until
all records that were there at the start have been read, there are no rules: wait for them.

    rules = Topic({"bootstrap.servers": "kafka-1:9092"})
    rules.wait()
    key = rules.canonical(url)
"""

from __future__ import annotations

import hashlib
import threading
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

from .domains import Domain, installed
from .errors import RefusedError
from .explore import ONE_IN
from .follow import Failed
from .ledger import Fold, SiteSet
from .live import Live
from .rulelist import RuleList
from .sites import Sites

_BATCH, _POLL, _TIMEOUT, _PAUSE = 500, 0.5, 30, 1  # records, seconds
_BEYOND_END = {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}


class Topic(Live):
    """The present rules of the topic. config is confluent-kafka's, such as
    "bootstrap.servers" and the settings of TLS and SASL. failed is called with each error
    that was skipped. Ends with the process, or with close."""

    def __init__(
        self,
        config: Mapping[str, Any],
        topic: str = "dust.rules",
        domain: Optional[Domain] = None,
        one_in: int = ONE_IN,
        changed: Optional[Callable[[str], None]] = None,
        failed: Optional[Failed] = None,
        consumer: Callable[[Dict[str, Any]], Any] = Consumer,
        secret: Optional[str] = None,
        host: Optional[str] = None,
    ):
        super().__init__(domain or installed(), one_in, changed, secret, host)
        self._topic = topic
        self._failed = failed or (lambda e: None)
        self._end: Optional[Exception] = None
        self._stop, self._ready = threading.Event(), threading.Event()
        self._consumer = consumer(
            {
                **config,
                "group.id": f"dustbuster-rules-{uuid.uuid4()}",  # no group is joined, but the library wants a name
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "auto.offset.reset": "error",
            }
        )
        self._thread = threading.Thread(target=self._run, name="dustbuster rules", daemon=True)
        self._thread.start()

    def wait(self, timeout: Optional[float] = None) -> None:
        """Wait until the rules that were in the topic at the start are applied. Raise OSError
        if the topic cannot be read, or was not read in time (TimeoutError)."""
        if not self._ready.wait(timeout):
            raise TimeoutError(f"the rules in {self._topic} were not read in {timeout} seconds")
        if self._end is not None:
            raise OSError(f"the rules in {self._topic} cannot be read: {self._end}") from self._end

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                _Reading(self._consumer, self._topic, self._failed).follow(self._stop, self._renew)
                self._stop.wait(_PAUSE)
        except (KafkaException, RefusedError) as e:
            self._end = e
            self._failed(e)
            self._ready.set()
        finally:
            self._consumer.close()

    def _renew(self, sets: List[SiteSet]) -> None:
        """Apply the sets of all sites. Of sites that exclude each other, the site published
        last counts."""
        newest = sorted(sets, key=lambda s: (-s.at, s.site.name if s.site else ""))
        left_out: List[RefusedError] = []
        kept = Sites([s.site for s in newest if s.site], self._domain, left_out).kept
        for error in left_out:
            self._failed(RefusedError(f"left out, because of newer rules: {error}"))
        why = [s.why for s in sets if s.why]
        rules = RuleList(sorted(kept, key=lambda site: site.name), unknown=len(why), why=why[0] if why else "")
        state = sorted((s.site.name, s.marker.place) for s in sets if s.site)
        self.set(rules, f'"{hashlib.sha256(repr(state).encode()).hexdigest()[:32]}"')
        self._ready.set()


class _Reading:
    """One reading of the topic, from its start."""

    def __init__(self, consumer: Any, topic: str, failed: Failed):
        self._consumer, self._topic, self._failed = consumer, topic, failed
        partitions = self._partitions()
        self._folds = {p: Fold() for p in partitions}
        #: The ends of the partitions at the start, as far as they have not been reached.
        self._goals = {p: consumer.get_watermark_offsets(TopicPartition(topic, p), timeout=_TIMEOUT)[1] for p in partitions}

    def _partitions(self) -> List[int]:
        found = self._consumer.list_topics(self._topic, timeout=_TIMEOUT).topics.get(self._topic)
        if found is None or found.error is not None or not found.partitions:
            raise KafkaException(found.error if found else KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART))
        return list(found.partitions)

    def follow(self, stop: threading.Event, renew: Callable[[List[SiteSet]], None]) -> None:
        """Read until stop, or until the topic was created again."""
        self._consumer.assign([TopicPartition(self._topic, p, OFFSET_BEGINNING) for p in self._folds])
        is_dirty = True
        while not stop.is_set():
            for message in self._consumer.consume(_BATCH, _POLL):
                error = message.error()
                if error is None:
                    is_dirty |= self._take(message)
                elif error.code() in _BEYOND_END:
                    self._failed(KafkaException(error))
                    return
                elif error.code() == KafkaError._PARTITION_EOF:
                    self._reach(message.partition(), message.offset())
                elif error.fatal():
                    raise KafkaException(error)
                else:
                    self._failed(KafkaException(error))
            if is_dirty and not self._goals:
                is_dirty = False
                renew(self._sets())

    def _take(self, message: Any) -> bool:
        """Take in a record, and return whether a set has changed."""
        changed = False
        try:
            changed = self._folds[message.partition()].apply(message.key() or b"", message.value(), message.headers() or ())
        except RefusedError as e:
            self._failed(RefusedError(f"partition {message.partition()}, offset {message.offset()}: {e}"))
        self._reach(message.partition(), message.offset() + 1)
        return changed

    def _reach(self, partition: int, offset: int) -> None:
        """Note a position. The end of a partition may come after a hole in its offsets, and
        then the library says that the end was reached."""
        if offset >= self._goals.get(partition, offset + 1):
            del self._goals[partition]

    def _sets(self) -> List[SiteSet]:
        """Return the newest set of each site. After a change of the number of partitions, a
        site may be in two."""
        newest: Dict[str, SiteSet] = {}
        for fold in self._folds.values():
            for name, one in fold.sets.items():
                if name not in newest or newest[name].at < one.at:
                    newest[name] = one
        return list(newest.values())
