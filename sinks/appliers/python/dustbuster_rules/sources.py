"""Where lists come from: a file, or a daemon."""

from __future__ import annotations

import hashlib
import os
import urllib.error
import urllib.parse
import urllib.request
from typing import Dict, NamedTuple, Optional, Tuple, Union

from .errors import RefusedError
from .rulelist import RuleList, read
from .wire import ask

_MOST_BYTES = 64 << 20


class Version(NamedTuple):
    """A list with its version."""

    rules: RuleList
    version: str


class File:
    """A file of rules, which writers replace by renaming."""

    def __init__(self, path: str):
        self.name = path
        self._stat: Optional[Tuple[int, int, int]] = None

    def newer(self) -> Optional[Version]:
        """Return the list if it is not the list of the last call, else None."""
        stat = os.stat(self.name)
        now = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if now == self._stat:
            return None
        with open(self.name, "rb") as f:
            text = f.read(_MOST_BYTES + 1)
        self._stat = now  # reading a bad list again would not help
        return Version(_read(text, self.name), f'"{hashlib.sha256(text).hexdigest()[:32]}"')


def endpoint(address: str, path: str, query: str = "") -> Tuple[str, Dict[str, str]]:
    """Return the URL of a daemon's service and the headers for its token. An address with a
    path is the whole URL.

    >>> endpoint("http://:secret@dust.example.org", "/api/v1/report")
    ('http://dust.example.org/api/v1/report', {'Authorization': 'Bearer secret'})
    """
    parts, headers = urllib.parse.urlsplit(address), {}
    if parts.password is not None and not parts.username:
        headers["Authorization"] = f"Bearer {parts.password}"
        parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    if not parts.path.strip("/"):
        parts = parts._replace(path=path, query=query)
    return urllib.parse.urlunsplit(parts), headers


class Daemon:
    """A daemon of dustbuster, or another server of a list. The token is the password of an
    address without user: http://:TOKEN@dust.example.org."""

    def __init__(self, address: str):
        self.name, self._headers = endpoint(address, "/api/v1/rules", "state=valid")
        self._headers["Accept"] = "application/x-ndjson"
        self._tag = ""

    def newer(self) -> Optional[Version]:
        """Return the list if it is not the list of the last call, else None."""
        headers = dict(self._headers)
        if self._tag:
            headers["If-None-Match"] = self._tag
        try:
            text, tag = ask(urllib.request.Request(self.name, headers=headers), _MOST_BYTES + 1)
        except urllib.error.HTTPError as e:
            with e:
                if e.code == 304 and self._tag:
                    return None
                hint = ": give its token" if e.code == 401 else ""
                raise OSError(f"{self.name} answers {e.code} {e.reason}{hint}") from None
        self._tag = tag
        return Version(_read(text, self.name), tag)


Source = Union[File, Daemon]


def split_topic(source: str) -> Optional[Tuple[str, str]]:
    """Return the brokers and the name of a topic, or None for a source that is no topic.

    >>> split_topic("kafka://kafka-1:9092,kafka-2:9092/dust.rules")
    ('kafka-1:9092,kafka-2:9092', 'dust.rules')
    """
    if not source.startswith("kafka://"):
        return None
    brokers, _, name = source[len("kafka://") :].rpartition("/")
    if not brokers or not name:
        raise ValueError(f"{source!r} is not kafka://BROKERS/TOPIC")
    return brokers, name


def source_of(name: str) -> Source:
    """Return the source of a path, or of an address of http or https."""
    return Daemon(name) if name.lower().startswith(("http://", "https://")) else File(name)


def _read(text: bytes, name: str) -> RuleList:
    try:
        return read(text)
    except RefusedError as e:
        raise RefusedError(f"{name}: {e}") from None
