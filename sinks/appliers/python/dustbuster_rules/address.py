"""URLs, and the texts that rules edit."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

from .hosts import normal_host

_cut = re.compile(r"(https?://)([^/?#]*)([^#]*)((?:#[!/].*)?)", re.IGNORECASE | re.ASCII | re.DOTALL).match
_relative = re.compile(r"()()(/(?![/\\])[^#]*)((?:#[!/].*)?)", re.DOTALL).match
_has_odd = re.compile("[^!$-;=?-~]").search  # a byte that stays in no text
_has_control = re.compile("[\x00-\x1f\x7f]").search
_has_surrogate = re.compile("[\ud800-\udfff]").search
_odd_bytes = re.compile(rb'[ "<>\x80-\xff]').sub
_DEFAULT_PORTS = {"http://": "80", "https://": "443"}


class Address(NamedTuple):
    """A URL in parts."""

    scheme: str  #: as written, with "://"; empty in a relative URL
    authority: str  #: as written
    path: str  #: path and query as written, without the fragment
    fragment: str  #: as written if it begins with "#!" or "#/", else empty


def cut(url: str) -> Optional[Address]:
    """Cut a URL, or return None for a URL that is neither an absolute one of http or https nor a
    relative one: a path that begins with one slash. Browsers take two slashes for the beginning of
    another host, and a backslash for a slash.

    >>> cut("HTTP://a.example?b#c")
    Address(scheme='HTTP://', authority='a.example', path='?b', fragment='')
    """
    match = _cut(url) or _relative(url)
    return Address(*match.groups()) if match else None


def is_relative(url: str) -> bool:
    """Report whether a URL is a relative one.

    >>> is_relative("/a"), is_relative("//a.example")
    (True, False)
    """
    return _relative(url) is not None


def host_of(scheme: str, authority: str) -> Optional[str]:
    """Return the host in normal form, or None if it is not valid."""
    return normal_host(authority, default_port(scheme))


def default_port(scheme: str) -> str:
    return _DEFAULT_PORTS[scheme.lower()]


def text_of(path: str, encoding: str = "utf-8") -> Optional[str]:
    """Return the text that rules edit, or None for a path that is left alone. The encoding
    says which bytes the characters are.

    >>> text_of('?a b')
    '/?a%20b'
    """
    if not path.startswith("/"):
        path = "/" + path
    if not _has_odd(path):
        return path
    if _has_control(path):
        return None
    return _odd_bytes(lambda m: b"%%%02X" % m[0][0], path.encode(encoding)).decode("ascii")


def is_unicode(url: str) -> bool:
    """Report whether UTF-8 can write a URL: whether it has no half of a surrogate pair."""
    return url.isascii() or not _has_surrogate(url)
