"""Exploration: a share of the changed URLs is fetched as found as well."""

from __future__ import annotations

import hashlib
from datetime import datetime, timezone
from typing import Dict, List, NamedTuple, Optional, Union

#: The default share: one URL of so many.
ONE_IN = 1000

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
        encoding. Pages that are alike are reported too. docs/admin.md has the form."""
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


def is_explored(url: str, one_in: int = ONE_IN, day: Optional[str] = None) -> bool:
    """Report whether a URL is marked on a day, in UTC and by default today: the first 8
    bytes of SHA-256(day, NUL, URL), as a big-endian number, are 0 modulo one_in. A one_in
    of 0 marks no URL.

    >>> is_explored("http://www.example.org/", one_in=1, day="2026-11-22")
    True
    """
    if one_in <= 0:
        return False
    if day is None:
        day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    text = f"{day}\0{url}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % one_in == 0
