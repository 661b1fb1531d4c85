"""Exploration: a share of the changed URLs is fetched as found as well."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timezone
from typing import Dict, List, NamedTuple, Optional, Union

#: The default share: one URL of so many.
ONE_IN = 1000

_LEAST = 16  # bytes of a secret
_DRAWN = secrets.token_hex(_LEAST)  # for this process

#: A JSON object.
Report = Dict[str, Union[str, List[str]]]


class Exploration(NamedTuple):
    """A changed URL, to be compared with its canonical form."""

    site: str  #: whose rules changed the URL
    found: str  #: the URL as found
    canonical: str
    rules: str  #: the version of the list

    def report(self, found_body: bytes, canonical_body: bytes, reporter: str = "") -> Report:
        """Return the report on the bodies of both pages, after redirects and without content
        encoding. Pages that are alike are reported too. docs/crawlers.md has the form."""
        report: Report = {
            "site": self.site,
            "found": self.found,
            "canonical": self.canonical,
            "sha256": [hashlib.sha256(body).hexdigest() for body in (found_body, canonical_body)],
        }
        if self.rules:
            report["rules"] = self.rules
        if reporter:
            report["reporter"] = reporter
        return report


def key_of(secret: Optional[str]) -> bytes:
    """Return the bytes of a secret, or without one those of the secret that this process drew
    at random. Raise ValueError if a secret has fewer than 16 bytes."""
    key = (_DRAWN if secret is None else secret).encode("utf-8", "surrogateescape")
    if len(key) < _LEAST:
        raise ValueError(f"the secret of exploration has {len(key)} bytes, and must have at least {_LEAST}")
    return key


def is_explored(url: str, secret: Optional[str], one_in: int = ONE_IN, day: Optional[str] = None) -> bool:
    """Report whether a URL is marked on a day, in UTC and by default today: the first 8
    bytes of HMAC-SHA-256(secret, day NUL URL), as a big-endian number, are 0 modulo one_in. A
    one_in of 0 marks no URL. A secret is as for key_of.

    >>> is_explored("http://www.example.org/a?sid=1", "an-example-secret", one_in=20, day="2026-11-22")
    True
    """
    key = key_of(secret)
    if one_in <= 0:
        return False
    if day is None:
        day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    text = f"{day}\0{url}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hmac.digest(key, text, "sha256")[:8], "big") % one_in == 0
