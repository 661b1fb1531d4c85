"""Lists of rules: the lines of rules.jsonl, or of /api/v1/rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple, Union

from .errors import RefusedError, UnknownError
from .members import Object, flag, items, number, parse, word
from .read_rule import read_rule
from .rule import Rule
from .unknown import unknown_in

#: The newest version of records that this version reads.
SCHEMA = 2

_MOST_LIST, _MOST_LINE = 64 << 20, 1 << 20  # bytes
_MOST_SITE, _BARE_RULE = 16 << 20, 128  # the greatest size of the rules of a site, and the size of a rule without texts
_OTHERS = frozenset("schema site id rank state by_domain hosts support verdict first_seen validated_at separators".split())
_MARK = b"\xef\xbb\xbf"  # the byte order mark, which may begin a list
_is_broken = re.compile("[\ud800-\udfff\ufffd]").search


@dataclass
class Site:
    """The rules of one site, in the order of application."""

    name: str
    by_domain: bool = False
    hosts: Tuple[str, ...] = ()  #: of a group
    rules: List[Rule] = field(default_factory=list)


@dataclass
class RuleList:
    """A list of rules. A site with a rule that this version does not know has no rules."""

    sites: List[Site] = field(default_factory=list)
    other: int = 0  #: rules that are not valid: likely, refuted, retired
    unknown: int = 0  #: valid rules whose meaning this version does not know
    why: str = ""  #: the reason for the first of them

    def __len__(self) -> int:
        """Return the number of rules."""
        return sum(len(site.rules) for site in self.sites)


def read(text: Union[str, bytes]) -> RuleList:
    """Read a list. Raise RefusedError for a list that docs/rules.md refuses."""
    records: Dict[str, List[Object]] = {}
    result = RuleList()
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(raw) > _MOST_LIST:
        raise RefusedError(f"a list of more than {_MOST_LIST} bytes")
    if raw.startswith(_MARK):
        raw = raw[len(_MARK) :]
    for n, line in enumerate(raw.split(b"\n"), 1):
        try:
            if not line.strip(b" \t\r"):
                continue
            record = read_record(line)
            if record.get("state") == "valid":
                records.setdefault(record["site"], []).append(record)
            else:
                result.other += 1
        except RefusedError as e:
            raise RefusedError(f"line {n}: {e}") from None
    for name in sorted(records):
        site, unknown = site_of(name, records[name])
        result.sites.append(site)
        result.unknown += len(unknown)
        result.why = result.why or (f"site {name!r}: {unknown[0]}" if unknown else "")
    return result


def read_record(line: bytes) -> Object:
    """Return the JSON object of a record. Of a valid record, the members are checked that do
    not depend on the kind of the rule, of another record only the schema and the state."""
    if len(line) > _MOST_LINE:
        raise RefusedError(f"more than {_MOST_LINE} bytes")
    record = parse(line, "a record")
    schema = number(record, "schema") if "schema" in record else None
    if schema is not None and schema > SCHEMA:
        raise RefusedError(f"schema {schema}, and this version knows {SCHEMA}: use a newer version")
    if schema is not None and schema < SCHEMA:
        raise RefusedError(f"schema {schema}, and this version knows {SCHEMA}: make the list anew, from the logs")
    if word(record, "state") == "valid":
        _check_head(record)
    return record


def _check_head(record: Object) -> None:
    for name in ("site", "id"):
        value = record.get(name)
        if not isinstance(value, str) or _is_broken(value):
            raise RefusedError(f"{name} is {value!r}, want a text")
    if not record["id"]:
        raise RefusedError("id is empty")
    number(record, "schema")
    number(record, "rank")
    flag(record, "by_domain", False)
    if not all(isinstance(host, str) for host in items(record, "hosts")):
        raise RefusedError("hosts are not texts")


def site_of(name: str, records: List[Object]) -> Tuple[Site, List[UnknownError]]:
    """Return the site of valid records, of which there is at least one, and the errors of
    its unknown rules. A site with unknown rules has no rules."""
    records = sorted(records, key=lambda r: number(r, "rank"))
    site, unknown = Site(name, flag(records[0], "by_domain", False), _hosts(records[0])), []
    last: Optional[int] = None
    for record in records:
        what = unknown_in(record)
        if what is not None:
            unknown.append(UnknownError(f"rule {record['id']!r}: {what} is unknown to this version"))
        else:
            site.rules.append(_read_rule(name, record))
        rank = number(record, "rank")
        if rank == last:
            raise RefusedError(f"site {name!r}: two rules have the rank {rank}")
        last = rank
        if flag(record, "by_domain", False) != site.by_domain or _hosts(record) != site.hosts:
            raise RefusedError(f"site {name!r}: its rules have different hosts or by_domain")
    if unknown:
        site.rules = []
        return site, unknown
    size = sum(map(_size, records))
    if size > _MOST_SITE:
        raise RefusedError(f"site {name!r}: {len(records)} rules of the size {size}, more than {_MOST_SITE}")
    return site, unknown


def _size(record: Object) -> int:
    """Return the size of a valid rule: 128, and the bytes of all texts of its record, and of the
    keys of a template."""
    keys = [*record.get("where", ()), *record.get("edit", ())]
    return _BARE_RULE + sum(map(len, keys)) + sum(_length(value) for name, value in record.items() if name not in _OTHERS)


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value)  # of ASCII
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return 0
    return sum(map(_length, value))


def _read_rule(name: str, record: Object) -> Rule:
    try:
        return read_rule(record)
    except RefusedError as e:
        raise RefusedError(f"site {name!r}: rule {record['id']!r}: {e}") from None


def _hosts(record: Object) -> Tuple[str, ...]:
    return tuple(items(record, "hosts"))
