"""Templates from JSON."""

from __future__ import annotations

from typing import Any, Dict

from .edit import Edit
from .errors import RefusedError
from .members import Object, object_of, plain
from .read_scope import name_in_query, value_in_query
from .template import ANY, Change, Template, is_segment

_MOST_KEYS = 64


def read_template(o: Object) -> Edit:
    """Return the edit of a record of the kind "template"."""
    where = {_key(k): _value(k, plain(v, "where")) for k, v in object_of(o.get("where"), "where").items()}
    if "/0" not in where or len(where) > _MOST_KEYS:
        raise RefusedError(f"a template of {len(where)} keys")
    segments = sum(map(is_segment, where))
    if any(is_segment(k) and k not in {f"/{n}" for n in range(segments)} for k in where):
        raise RefusedError("the segments of a template are not /0, /1, and so on")
    changes = {_key(k): _change(k, v) for k, v in object_of(o.get("edit"), "edit").items()}
    _check(where, changes)
    return Template(where, changes)


def _check(where: Dict[str, str], changes: Dict[str, Change]) -> None:
    new = [k for k in changes if k not in where]
    if not changes or len(new) > 1:
        raise RefusedError("a template edits no key, or several that where lacks")
    if any(is_segment(k) or changes[k].op == "drop" for k in new):
        raise RefusedError(f"where lacks the key {new[0]!r}")
    for key, change in changes.items():
        if change.op == "copy" and change.operand not in where:
            raise RefusedError(f"where lacks the key {change.operand!r}")


def _key(key: str) -> str:
    if is_segment(plain(key, "a key")):
        return key
    return name_in_query(key)


def _value(key: str, value: str) -> str:
    if not is_segment(key):
        return value_in_query(value)
    if "/" in value or "?" in value:
        raise RefusedError(f"value {value!r} of a segment holds a separator")
    return value


def _change(key: str, value: Any) -> Change:
    if value == "drop":
        return Change("drop")
    if isinstance(value, dict) and len(value) == 1:
        (op, operand), *_ = value.items()
        if op == "copy":
            return Change("copy", plain(operand, "copy"))
        if op == "set":
            return Change("set", _value(key, plain(operand, "set")))
    raise RefusedError(f"the edit {value!r} of a template is malformed")
