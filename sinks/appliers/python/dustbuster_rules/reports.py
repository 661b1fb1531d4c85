"""Sending reports of explored URLs to the daemon of a site's operator."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, Mapping

from .explore import Report
from .sources import endpoint, split_topic
from .wire import ask

_TIMEOUT = 30  # seconds, for the brokers
_MOST_ANSWER = 4096  # bytes


class Reporter:
    """Sends reports to a daemon (POST /api/v1/report). The token is the password of an
    address without user: http://:TOKEN@dust.example.org."""

    def __init__(self, address: str):
        self._address, self._headers = endpoint(address, "/api/v1/report")
        self._headers["Content-Type"] = "application/json"

    def send(self, report: Report) -> None:
        """Send a report. Raise OSError if the daemon does not accept it. A lost report does
        no harm."""
        request = urllib.request.Request(self._address, json.dumps(report).encode(), self._headers)
        try:
            ask(request, _MOST_ANSWER, 202)
        except urllib.error.HTTPError as e:
            with e:
                reason = e.read().decode("utf-8", "replace").strip()
                raise OSError(f"{self._address} answers {e.code} {e.reason}: {reason}") from None

    def close(self) -> None:
        """Do nothing: no report waits."""


class TopicReporter:
    """Writes reports to the topic of reports. config is confluent-kafka's."""

    def __init__(self, config: Mapping[str, Any], topic: str = "dust.reports"):
        from confluent_kafka import Producer

        self._topic = topic
        self._producer = Producer({**config, "partitioner": "murmur2_random"})

    def send(self, report: Report) -> None:
        """Write a report, without waiting for the brokers."""
        self._producer.produce(self._topic, key=str(report["site"]).encode(), value=json.dumps(report).encode())
        self._producer.poll(0)

    def close(self) -> None:
        """Wait until the brokers have all reports, at most for some seconds."""
        self._producer.flush(_TIMEOUT)


def reporter_of(target: str) -> "Reporter | TopicReporter":
    """Return the reporter to a daemon's address, or to kafka://BROKERS/TOPIC."""
    topic = split_topic(target)
    return Reporter(target) if topic is None else TopicReporter({"bootstrap.servers": topic[0]}, topic[1])
