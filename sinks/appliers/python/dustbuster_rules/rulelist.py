"""Lists of rules: the lines of rules.jsonl, or of /api/v1/rules."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from .errors import RefusedError, UnknownError
from .members import Object, flag, items, number, object_of, word
from .read_rule import read_rule
from .rule import Rule

#: The newest version of records that this version reads.
SCHEMA = 2

_MOST_LIST, _MOST_LINE = 64 << 20, 1 << 20  # bytes


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
    if len(text) > _MOST_LIST:
        raise RefusedError(f"a list of more than {_MOST_LIST} bytes")
    lines: Iterable[Union[str, bytes]] = text.split(b"\n") if isinstance(text, bytes) else text.split("\n")
    for n, line in enumerate(lines, 1):
        try:
            if not line.strip():
                continue
            record = read_record(line)
            if record.get("state") == "valid":
                records.setdefault(word(record, "site"), []).append(record)
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


def read_record(line: Union[str, bytes]) -> Object:
    """Return the JSON object of a record of a known schema."""
    if len(line) > _MOST_LINE:
        raise RefusedError(f"more than {_MOST_LINE} bytes")
    try:
        record = object_of(json.loads(line, parse_constant=_no_constant), "a record")
    except RefusedError:
        raise
    except (ValueError, RecursionError) as e:
        raise RefusedError(f"not a rule (one JSON object): {e}") from None
    schema = number(record, "schema", 1)
    if schema > SCHEMA:
        raise RefusedError(f"schema {schema}, and this version knows {SCHEMA}: use a newer version")
    return record


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def site_of(name: str, records: List[Object]) -> Tuple[Site, List[UnknownError]]:
    """Return the site of valid records, of which there is at least one, and the errors of
    its unknown rules. A site with unknown rules has no rules."""
    records = sorted(records, key=lambda r: number(r, "rank", 0))
    site, unknown = Site(name, flag(records[0], "by_domain", False), _hosts(records[0])), []
    last: Optional[int] = None
    for record in records:
        try:
            site.rules.append(read_rule(record))
        except UnknownError as e:
            unknown.append(UnknownError(f"rule {record.get('id')!r}: {e}"))
        except RefusedError as e:
            raise RefusedError(f"site {name!r}: rule {record.get('id')!r}: {e}") from None
        rank = number(record, "rank", 0)
        if rank == last:
            raise RefusedError(f"site {name!r}: two rules have the rank {rank}")
        last = rank
        if flag(record, "by_domain", False) != site.by_domain or _hosts(record) != site.hosts:
            raise RefusedError(f"site {name!r}: its rules have different hosts or by_domain")
    if unknown:
        site.rules = []
    return site, unknown


def _hosts(record: Object) -> Tuple[str, ...]:
    hosts = items(record, "hosts")
    if not all(isinstance(host, str) for host in hosts):
        raise RefusedError("hosts are not texts")
    return tuple(hosts)
