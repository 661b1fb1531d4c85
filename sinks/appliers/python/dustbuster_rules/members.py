"""Members of JSON objects, with their types. A member that is null is missing."""

from __future__ import annotations

import re
from typing import Any, Collection, Dict, List, Optional

from .errors import RefusedError, UnknownError

Object = Dict[str, Any]

#: The greatest length of a text, in bytes.
MAX_BYTES = 2048

_is_plain = re.compile("[!$-;=?-~]*").fullmatch  # no control byte, blank, ", #, <, >


def object_of(value: Any, what: str) -> Object:
    """Return a JSON object without the members that are null."""
    if not isinstance(value, dict):
        raise RefusedError(f"{what} is not an object")
    return {name: member for name, member in value.items() if member is not None}


def check_known(o: Object, known: Collection[str]) -> None:
    """Raise UnknownError if an object has a member that is not known."""
    for name in o:
        if name not in known:
            raise UnknownError(f"member {name!r} is unknown to this version")


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
    """Return a list of texts, empty if the member is missing."""
    return [plain(value, name) for value in items(o, name)]


def items(o: Object, name: str) -> List[Any]:
    """Return a list, empty if the member is missing."""
    value = o.get(name, [])
    if not isinstance(value, list):
        raise RefusedError(f"{name} is not a list")
    return value


def flag(o: Object, name: str, default: Optional[bool] = None) -> bool:
    """Return a member that is true or false."""
    value = o.get(name, default)
    if not isinstance(value, bool):
        raise RefusedError(f"{name} is {value!r}, want true or false")
    return value


def number(o: Object, name: str, default: int) -> int:
    value = o.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(f"{name} is {value!r}, want a whole number")
    return value


def word(o: Object, name: str) -> str:
    """Return a member that is one of some words; empty if it is missing."""
    value = o.get(name, "")
    if not isinstance(value, str):
        raise RefusedError(f"{name} is not a text")
    return value
