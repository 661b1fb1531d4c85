"""Rules of the kind "parameter"."""

from __future__ import annotations

import re
from typing import List, Optional, Sequence, Tuple

from .edit import Edit
from .query import name_of, path_of, pieces_of, split
from .tokens import tokens

#: The classes of names by a pattern: what may follow the prefix.
CLASSES = {
    "digits": re.compile("[0-9]{4,}"),
    "hex": re.compile("(?=.*[0-9])(?:[0-9a-f]{8,}|[0-9A-F]{8,})"),
}


class Names:
    """The pieces with one of some names, bare or with a value."""

    def __init__(self, *names: str):
        self._names = names
        self._begins = tuple(name + "=" for name in names)

    def has(self, piece: str) -> bool:
        return piece in self._names or piece.startswith(self._begins)

    def keys(self) -> List[Sequence[str]]:
        if len(self._names) > 1:
            return [[max(tokens(name), key=len) for name in self._names]]
        return [[token] for token in tokens(self._names[0])]


class NameAndValue:
    """The pieces with one name and one value."""

    def __init__(self, name: str, value: str):
        self._piece = f"{name}={value}"

    def has(self, piece: str) -> bool:
        return piece == self._piece

    def keys(self) -> List[Sequence[str]]:
        return [[token] for token in tokens(self._piece)]


class NamePattern:
    """The pieces whose name is a prefix and then characters of a class.

    >>> NamePattern("v", "digits").has("v20260101=1")
    True
    """

    def __init__(self, prefix: str, name_class: str):
        self._prefix = prefix
        self._rest = CLASSES[name_class]

    def has(self, piece: str) -> bool:
        return piece.startswith(self._prefix) and self._rest.fullmatch(name_of(piece)[len(self._prefix) :]) is not None

    def keys(self) -> List[Sequence[str]]:
        return []


class Drop(Edit):
    """Removes pieces of the query. Each goes with the separator behind it, the last with
    the separator before it. An empty query loses its "?".

    >>> Drop(Names("s")).edit("/a?s=1&b&s")
    '/a?b'
    """

    def __init__(self, which: "Names | NameAndValue | NamePattern"):
        self._which = which

    def edit(self, text: str) -> str:
        path, parts = split(text)
        drops = self._which.has
        if not any(map(drops, parts[::2])):
            return text
        kept: List[str] = []
        for at in range(0, len(parts), 2):
            if not drops(parts[at]):
                kept += parts[at : at + 2]
        if drops(parts[-1]):
            del kept[-1:]  # a separator, as the last piece is not there
        query = "".join(kept)
        return f"{path}?{query}" if query else path

    def tested(self, text: str) -> Tuple[str, Sequence[str]]:
        return path_of(text), [p for p in pieces_of(text) if not self._which.has(p)]

    def keys(self) -> List[Sequence[str]]:
        return [["?"]] + self._which.keys()


class DropInPath(Edit):
    """Removes pieces of the segments of the path, each with the ";" before it.

    >>> DropInPath(Names("s")).edit("/a;b;s=1/c;s?d")
    '/a;b/c?d'
    """

    tests_whole_path = False

    def __init__(self, which: "Names | NameAndValue | NamePattern"):
        self._which = which

    def edit(self, text: str) -> str:
        path, mark, query = text.partition("?")
        return self._leave(path) + mark + query

    def _leave(self, path: str) -> str:
        if ";" not in path:
            return path
        head, *segments = path.split("/")  # no segment begins before the first slash
        for at, segment in enumerate(segments):
            first, *pieces = segment.split(";")
            segments[at] = ";".join([first] + [p for p in pieces if not self._which.has(p)])
        return "/".join([head] + segments)

    def tested(self, text: str) -> Tuple[str, Sequence[str]]:
        return self._leave(path_of(text)), pieces_of(text)

    def keys(self) -> List[Sequence[str]]:
        return [[";"]] + self._which.keys()


class Set(Edit):
    """Gives every piece of a name one value.

    >>> Set("a", "1").edit("/?a&a=2&b")
    '/?a=1&a=1&b'
    """

    def __init__(self, name: str, value: str):
        self._which = Names(name)
        self._piece = f"{name}={value}"

    def edit(self, text: str) -> str:
        path, parts = split(text)
        if not any(map(self._which.has, parts[::2])):
            return text
        parts[::2] = [self._piece if self._which.has(p) else p for p in parts[::2]]
        return path + "?" + "".join(parts)

    def tested(self, text: str) -> Tuple[str, Sequence[str]]:
        return path_of(text), [p for p in pieces_of(text) if not self._which.has(p)]

    def keys(self) -> List[Sequence[str]]:
        return [["?"]] + self._which.keys()


class Order(Edit):
    """Sorts the pieces that have a name by name, stably. The rest stays in its place.

    >>> Order().edit("/?b;a=2&&a=1")
    '/?a=2;a=1&&b'
    """

    def edit(self, text: str) -> str:
        path, parts = split(text)
        named = [at for at in range(0, len(parts), 2) if name_of(parts[at])]
        for at, piece in zip(named, sorted((parts[at] for at in named), key=name_of)):
            parts[at] = piece
        return path + "?" + "".join(parts) if parts else text

    def keys(self) -> List[Sequence[str]]:
        return [["&", ";"], ["?"]]


def drop(in_path: bool, names: Sequence[str], value: Optional[str], pattern: Optional[Tuple[str, str]]) -> Edit:
    """Return the edit of a drop with the given members. A pattern is a prefix and a class."""
    which: "Names | NameAndValue | NamePattern"
    if pattern is not None:
        which = NamePattern(*pattern)
    elif value is not None:
        which = NameAndValue(names[0], value)
    else:
        which = Names(*names)
    return DropInPath(which) if in_path else Drop(which)
