"""What of a record this version does not know. A part that is not of its type holds nothing
that is unknown."""

from __future__ import annotations

from typing import Any, Collection, Iterator, Optional

from .forms import FORMS
from .members import Object
from .params import CLASSES

#: Members of records of all kinds.
COMMON = frozenset(
    "schema site id kind scope except rank state support verdict first_seen validated_at by_domain hosts separators".split()
)

#: The members of each kind, and of each op of the kind "parameter".
MEMBERS = {
    "substring": frozenset(["alpha", "beta", "at_start", "at_end", "direction"]),
    "form": frozenset(["form"]),
    "template": frozenset(["where", "edit"]),
    "segment": frozenset(["after", "class", "to"]),
}
OPS = {
    "drop": frozenset(["op", "params", "pattern", "value", "in"]),
    "set": frozenset(["op", "params", "to", "in"]),
    "order": frozenset(["op", "in"]),
}
ALL_MEMBERS = COMMON.union(*MEMBERS.values(), *OPS.values())


def unknown_in(o: Object) -> Optional[str]:
    """Return what of a record is unknown, or None.

    >>> unknown_in({"schema": 2, "kind": "form", "form": "tabs"})
    "form 'tabs'"
    """
    return next(_unknown(o), None)


def _unknown(o: Object) -> Iterator[str]:
    yield from _member(o, ALL_MEMBERS)
    except_ = _object(o.get("except"))
    yield from _member(except_, ("scopes", "urls"))
    for scope in [o.get("scope"), *_list(except_.get("scopes"))]:
        yield from _in_scope(_object(scope))
    yield from _word(o, "kind", ("parameter", *MEMBERS))
    if o.get("kind") == "parameter":
        yield from _in_parameter(o)
    elif o.get("kind") == "form":
        yield from _word(o, "form", FORMS)
    elif o.get("kind") == "segment":
        yield from _word(o, "class", CLASSES)
    elif o.get("kind") == "template":
        edits = _object(o.get("edit"))
        for key in edits:
            yield from _word(edits, key, ("drop",))
            yield from _member(_object(edits[key]), ("set", "copy"))


def _in_scope(scope: Object) -> Iterator[str]:
    yield from _member(scope, ("path", "prefix", "where"))
    for condition in _list(scope.get("where")):
        yield from _member(_object(condition), ("param", "value", "valued", "own", "begins"))


def _in_parameter(o: Object) -> Iterator[str]:
    yield from _word(o, "op", OPS)
    is_drop = o.get("op") == "drop"
    yield from _word(o, "in", ("query", "path") if is_drop else ("query",))
    if is_drop:
        pattern = _object(o.get("pattern"))
        yield from _member(pattern, ("prefix", "class"))
        yield from _word(pattern, "class", CLASSES)


def _object(value: Any) -> Object:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> "list[Any]":
    return value if isinstance(value, list) else []


def _member(o: Object, known: Collection[str]) -> Iterator[str]:
    return (f"member {name!r}" for name in o if name not in known)


def _word(o: Object, name: str, words: Collection[str]) -> Iterator[str]:
    """Yield the member of a name if it is a text, but none of some words."""
    if isinstance(o.get(name), str) and o[name] not in words:
        yield f"{name} {o[name]!r}"
