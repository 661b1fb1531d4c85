"""JSON objects, and their members with their types. A member that is null is missing."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional, Union

from .errors import RefusedError

Object = Dict[str, Any]

#: The greatest length of a text, in bytes.
MAX_BYTES = 2048

_MOST_DEPTH = 32

_is_plain = re.compile("[!$-;=?-~]*").fullmatch  # no control byte, blank, ", #, <, >


def object_of(value: Any, what: str) -> Object:
    """Return a value that must be a JSON object."""
    if not isinstance(value, dict):
        raise RefusedError(f"{what} is not an object")
    return value


def parse(text: Union[str, bytes], what: str) -> Object:
    """Return the JSON object of a text, without the members that are null. Of several members
    of one name, the last counts. All numbers are floats."""
    try:
        value = json.loads(text.decode("utf-8") if isinstance(text, bytes) else text, parse_int=float, parse_constant=_no_constant)
    except (ValueError, RecursionError) as e:
        raise RefusedError(f"{what} is not JSON: {e}") from None
    _clean(value, _MOST_DEPTH)
    return object_of(value, what)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _clean(value: Any, depth: int) -> None:
    """Remove the members that are null."""
    if not isinstance(value, (dict, list)):
        return
    if depth == 0:
        raise RefusedError(f"more than {_MOST_DEPTH} objects and lists within each other")
    if isinstance(value, dict):
        for name in [name for name, member in value.items() if member is None]:
            del value[name]
    for member in value.values() if isinstance(value, dict) else value:
        _clean(member, depth - 1)


def plain(value: Any, what: str) -> str:
    """Return a text that may be a part of a text that rules edit."""
    if not isinstance(value, str):
        raise RefusedError(f"{what} is not a text")
    if len(value) > MAX_BYTES:
        raise RefusedError(f"{what} has more than {MAX_BYTES} bytes")
    if not _is_plain(value):
        raise RefusedError(f"{what} {value!r} holds a character that no URL holds")
    return value


def text(o: Object, name: str) -> str:
    """Return a member that must be there."""
    if name not in o:
        raise RefusedError(f"member {name!r} is missing")
    return plain(o[name], name)


def optional_text(o: Object, name: str) -> Optional[str]:
    return plain(o[name], name) if name in o else None


def texts(o: Object, name: str) -> List[str]:
    """Return a list of texts, as items does."""
    return [plain(value, name) for value in items(o, name)]


def items(o: Object, name: str) -> List[Any]:
    """Return a list, empty if the member is missing. A list that is there has elements."""
    value = o.get(name, [])
    if not isinstance(value, list) or name in o and not value:
        raise RefusedError(f"{name} is not a list, or is empty")
    return value


def flag(o: Object, name: str, default: Optional[bool] = None) -> bool:
    """Return a member that is true or false."""
    value = o.get(name, default)
    if not isinstance(value, bool):
        raise RefusedError(f"{name} is {value!r}, want true or false")
    return value


def number(o: Object, name: str) -> int:
    """Return a member that must be a whole number, of at most 2**53 - 1 in size."""
    value = o.get(name)
    if not isinstance(value, float) or not value.is_integer() or abs(value) >= 2**53:
        raise RefusedError(f"{name} is {value!r}, want a whole number")
    return int(value)


def word(o: Object, name: str) -> str:
    """Return a member that is one of some words; empty if it is missing."""
    value = o.get(name, "")
    if not isinstance(value, str):
        raise RefusedError(f"{name} is not a text")
    return value
