"""The topic of rules as a fold: docs/kafka.md says what its records mean.

A Fold takes in the records of one partition, in any order, and holds of each site the last
set of rules that was published as a whole.
"""

from __future__ import annotations

import json
import re
from typing import Dict, Iterable, List, NamedTuple, Optional, Tuple

from .errors import RefusedError
from .members import Object, items, object_of, word
from .rulelist import Site, read_record, site_of

#: The headers epoch, generation and sequence of a record. Tuples are compared as such.
Place = Tuple[int, int, int]

_HEADERS = ("epoch", "generation", "sequence")
_MARKER_SCHEMA = 1
_MOST_KEY, _MOST_VALUE = 1 << 10, 8 << 20  # bytes
_MOST_NUMBER = 2**63 - 1
_is_number = re.compile(b"[0-9]{1,19}").fullmatch


class Key(NamedTuple):
    """A key of a rule, or of a site's marker, which has no id."""

    site: str
    id: Optional[str]


class Held(NamedTuple):
    """The record of a key with the greatest tuple."""

    value: Optional[bytes]
    place: Place


class SiteSet(NamedTuple):
    """The set of a site that was published last."""

    site: Optional[Site]  #: None: the site has no rules
    at: int  #: when it was published, in Unix seconds
    marker: Held
    why: str = ""  #: the reason, if a rule of the set is unknown to this version


def read_key(key: bytes) -> Optional[Key]:
    """Return the key of a rule or a marker, or None for another key, which readers skip.

    >>> read_key(b"a%2Fb/rule/7")
    Key(site='a/b', id='7')
    >>> read_key(b"a/verdict/7")
    """
    try:
        parts = key.decode("utf-8").split("/") if len(key) <= _MOST_KEY else []
    except UnicodeDecodeError:
        return None
    is_marker = len(parts) == 2 and parts[1] == "set"
    if not is_marker and not (len(parts) == 3 and parts[1] == "rule" and parts[2]):
        return None
    site = parts[0].replace("%2F", "/").replace("%25", "%")
    if site.replace("%", "%25").replace("/", "%2F") != parts[0]:
        return None
    return Key(site, None if is_marker else parts[2])


def read_place(headers: Iterable[Tuple[str, Optional[bytes]]]) -> Place:
    """Return the tuple of a record's headers."""
    values = dict(headers)
    numbers = []
    for name in _HEADERS:
        value = values.get(name)
        if value is None or not _is_number(value) or int(value) > _MOST_NUMBER:
            raise RefusedError(f"header {name!r} is {value!r}, want a number")
        numbers.append(int(value))
    return numbers[0], numbers[1], numbers[2]


class Fold:
    """The state of a reader of one partition. most bounds the bytes of keys and values."""

    def __init__(self, most: int = 1 << 30):
        self.sets: Dict[str, SiteSet] = {}
        self.older = 0  #: records that were older than the record held
        self._most = most
        self._bytes = 0
        self._markers: Dict[str, Held] = {}
        self._rules: Dict[str, Dict[str, Held]] = {}

    def apply(self, raw_key: bytes, value: Optional[bytes], headers: Iterable[Tuple[str, Optional[bytes]]]) -> bool:
        """Take in a record. Return whether the set of a site has changed. Raise
        RefusedError if the record, or the set that it completes, is malformed: the last set
        of the site stays."""
        place, key = read_place(headers), read_key(raw_key)
        if key is None:
            return False
        kept, name = (self._markers, key.site) if key.id is None else (self._rules.setdefault(key.site, {}), key.id)
        held = kept.get(name)
        if held and place < held.place:
            self.older += 1
            return False
        self._count(len(raw_key), held, value)
        kept[name] = Held(value, place)
        return self._renew(key.site)

    def _count(self, key: int, held: Optional[Held], value: Optional[bytes]) -> None:
        if value is not None and len(value) > _MOST_VALUE:
            raise RefusedError(f"a value of {len(value)} bytes")
        more = len(value or b"") - len(held.value or b"") if held else key + len(value or b"")
        if more > 0 and self._bytes + more > self._most:
            raise RefusedError("the rules exceed the memory for rules")
        self._bytes += more

    def _renew(self, site: str) -> bool:
        """Replace the set of a site by the set of its marker, if that set is complete."""
        marker, last = self._markers.get(site), self.sets.get(site)
        if marker is None or last is not None and last.marker is marker:
            return False
        at, named = _read_marker(site, marker.value) if marker.value is not None else (0, [])
        rules = self._rules.get(site, {})
        for id, place in named:
            held = rules.get(id)
            if held is None or held.value is None or held.place != place:
                return False
        if any(held.place > marker.place for held in rules.values()):
            return False
        self.sets[site] = _read_set(site, at, marker, [(id, rules[id].value or b"") for id, _ in named])
        return True


def _read_marker(site: str, value: bytes) -> Tuple[int, List[Tuple[str, Place]]]:
    """Return when a set was published, and its rules with their tuples, in order."""
    try:
        marker = object_of(json.loads(value), "the marker")
    except (ValueError, RecursionError) as e:
        raise RefusedError(f"marker of site {site!r}: {e}") from None
    schema = _whole(marker, "schema")
    if schema != _MARKER_SCHEMA or word(marker, "site") != site:
        raise RefusedError(f"marker of site {site!r}: schema {schema}, site {marker.get('site')!r}")
    rules = marker.get("rules") or []
    if not isinstance(rules, list):
        raise RefusedError(f"marker of site {site!r}: its rules are not a list")
    return _whole(marker, "at"), [_read_named(one) for one in rules]


def _whole(marker: Object, name: str) -> int:
    value = marker.get(name, 0)
    if type(value) is not int:
        raise RefusedError(f"{name} of a marker is {value!r}, want a whole number")
    return value


def _read_named(value: object) -> Tuple[str, Place]:
    named: Object = object_of(value, "a rule of a marker")
    place = items(named, "at")
    if len(place) != len(_HEADERS) or not all(type(n) is int and 0 <= n <= _MOST_NUMBER for n in place):
        raise RefusedError(f"a rule of a marker is at {place!r}")
    return word(named, "id"), (place[0], place[1], place[2])


def _read_set(site: str, at: int, marker: Held, values: List[Tuple[str, bytes]]) -> SiteSet:
    records = []
    for rank, (id, value) in enumerate(values, 1):
        record = read_record(value)
        is_own = record.get("site", "") == site and record.get("id") == id and record.get("state") == "valid"
        if not is_own:
            raise RefusedError(f"rule {id!r} of site {site!r}: it is {record.get('id')!r} of {record.get('site')!r}, {record.get('state')!r}")
        records.append({**record, "rank": float(rank)})  # the marker has the order
    if not records:
        return SiteSet(None, at, marker)
    made, unknown = site_of(site, records)
    return SiteSet(made, at, marker, str(unknown[0]) if unknown else "")
