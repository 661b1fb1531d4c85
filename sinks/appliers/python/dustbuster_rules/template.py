"""Rules of the kind "template": texts of one shape are rewritten."""

from __future__ import annotations

from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence

from .edit import Edit
from .tokens import tokens

#: The value of "where" that stands for any value.
ANY = "*"

#: The value of a bare name.
MISSING = None

Values = Dict[str, Optional[str]]


class Change(NamedTuple):
    """The edit of one key: "drop", or "set" and "copy" with a value or a key."""

    op: str
    operand: str = ""


class Shape(NamedTuple):
    """A text cut into its keys."""

    head: str  #: what stands before the path
    values: Values  #: by key, in the order of the text
    separator: str  #: of the query, "&" if it has none


def is_segment(key: str) -> bool:
    """Report whether a key is one of a segment."""
    return key.startswith("/")


def shape_of(text: str) -> Optional[Shape]:
    """Cut a text into its keys, or return None for a text that fits no template.

    >>> shape_of("/a/?b=1;c").values
    {'/0': 'a', '/1': '', 'b': '1', 'c': None}
    """
    path, mark, query = text.partition("?")
    head, slash, rest = path.partition("/")
    if not slash or "&" in query and ";" in query:
        return None
    values: Values = {f"/{n}": segment for n, segment in enumerate(rest.split("/"))}
    separator = ";" if ";" in query else "&"
    for piece in query.split(separator) if mark else ():
        name, equals, value = piece.partition("=")
        if not name or is_segment(name) or name in values:
            return None
        values[name] = value if equals else MISSING
    return Shape(head, values, separator)


class Template(Edit):
    """Rewrites texts that have exactly the keys of a shape, with the values of the shape.

    >>> Template({"/0": "show", "id": ANY}, {"/0": Change("copy", "id"), "id": Change("drop")}).edit("/show?id=7")
    '/7'
    """

    def __init__(self, where: Mapping[str, str], changes: Mapping[str, Change]):
        self._where = dict(where)
        self._constants = {key: value for key, value in where.items() if value != ANY}
        self._changes = dict(changes)

    def edit(self, text: str) -> str:
        shape = shape_of(text)
        if shape is None or shape.values.keys() != self._where.keys():
            return text
        if any(shape.values[key] != value for key, value in self._constants.items()):
            return text
        made = self._change(shape.values)
        return text if made is None else join(shape, made)

    def _change(self, old: Values) -> Optional[Values]:
        """Return the new values, or None if the edit leaves the text as it is."""
        new = dict(old)
        for key, change in self._changes.items():
            if change.op == "drop":
                del new[key]
                continue
            value: Optional[str] = change.operand
            if change.op == "copy":
                value = old[change.operand]
                if value is MISSING or any(c in value for c in "/?;&") or not value and is_segment(key):
                    return None
            if old.get(key, "") is MISSING:
                return None
            new[key] = value
        return new

    def keys(self) -> List[Sequence[str]]:
        texts = [key for key in self._where if not is_segment(key)] + list(self._constants.values())
        return [[token] for text in texts for token in tokens(text)]


def join(shape: Shape, values: Values) -> str:
    """Return the text of a shape with other values."""
    segments = [value or "" for key, value in values.items() if is_segment(key)]
    pieces = [key if value is MISSING else f"{key}={value}" for key, value in values.items() if not is_segment(key)]
    path = "/" + "/".join(segments)
    return shape.head + path + ("?" + shape.separator.join(pieces) if pieces else "")
