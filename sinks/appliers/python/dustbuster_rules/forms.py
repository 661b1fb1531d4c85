"""Rules of the kind "form": a form of syntax is written in its normal way."""

from __future__ import annotations

import re
from typing import Callable, Dict, List, Match, Sequence

from .edit import Edit
from .query import split

_several_slashes = re.compile("//+").sub
_escapes = re.compile("%([0-9A-Fa-f]{2})").sub
_capitals = re.compile("%[0-9A-Fa-f]{2}|[A-Z]+").sub
_UNRESERVED = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~")


def slashes(text: str) -> str:
    """Write each run of slashes in the path as one slash."""
    path, mark, query = text.partition("?")
    return _several_slashes("/", path) + mark + query


def empty_query(text: str) -> str:
    """Remove a "?" without a query behind it."""
    return text[:-1] if text.find("?") == len(text) - 1 else text


def empty_value(text: str) -> str:
    """Remove the "=" of pieces with a name and an empty value."""
    path, parts = split(text)
    parts = [p[:-1] if p.find("=") == len(p) - 1 > 0 else p for p in parts]
    return path + "?" + "".join(parts) if parts else text


def escapes(text: str) -> str:
    """Undo needless escapes, and write the others in capitals. The text is read once.

    >>> escapes("/%41%2f%2541")
    '/A%2F%2541'
    """
    return _escapes(_normal_escape, text)


def _normal_escape(escape: Match[str]) -> str:
    byte = int(escape[1], 16)
    return chr(byte) if byte in _UNRESERVED else escape[0].upper()


def case(text: str) -> str:
    """Write the letters of the path small, but for those of escapes.

    >>> case("/A%2F?B")
    '/a%2F?B'
    """
    path, mark, query = text.partition("?")
    return _capitals(lambda m: m[0] if m[0][0] == "%" else m[0].lower(), path) + mark + query


#: The forms by name, each with texts of which a changed text has one among its tokens.
FORMS: Dict[str, "tuple[Callable[[str], str], List[Sequence[str]]]"] = {
    "slashes": (slashes, [["/"]]),
    "empty-query": (empty_query, [["?"]]),
    "empty-value": (empty_value, [["="], ["?"]]),
    "escapes": (escapes, []),
    "case": (case, []),
}


class Form(Edit):
    """Writes one form of syntax in its normal way."""

    def __init__(self, name: str):
        self._normal, self._keys = FORMS[name]

    def edit(self, text: str) -> str:
        return self._normal(text)

    def keys(self) -> List[Sequence[str]]:
        return self._keys
