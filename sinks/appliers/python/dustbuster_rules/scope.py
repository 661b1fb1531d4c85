"""Scopes: the texts that a rule edits, or that an exception excepts."""

from __future__ import annotations

from typing import List, Optional, Sequence

from .query import pieces_of
from .tokens import tokens, whole_tokens

_WILD = "/*/"


class Condition:
    """A piece that a query must have: of a name, bare or with a value; with any value; or
    with one value.

    >>> Condition("a").holds(["b=1", "a"]), Condition("a", valued=True).holds(["a"])
    (True, False)

    In an exception, own says that the condition reads the rule's own parameter, and begins
    how its value begins.

    >>> Condition("a", own=True, begins="w").holds(["a=wiki"])
    True
    """

    def __init__(self, param: str, value: Optional[str] = None, valued: bool = False, own: bool = False, begins: str = ""):
        self.param = param
        self.value = value
        self.valued = valued
        self.own = own
        self.begins = begins
        self._begin = param + "=" + begins
        self._piece = param if value is None else f"{param}={value}"

    def holds(self, pieces: Sequence[str]) -> bool:
        """Report whether one of the pieces meets the condition."""
        if not self.valued and not self.begins and self._piece in pieces:
            return True
        return self.value is None and any(p.startswith(self._begin) for p in pieces)


class Scope:
    """Conditions on a text, all of which must hold. A scope without members always holds."""

    def __init__(self, path: Optional[str] = None, prefix: str = "", where: Sequence[Condition] = ()):
        self.path = path
        self.prefix = prefix
        self.where = tuple(where)
        wild = -1 if path is None else path.find(_WILD)
        self.is_wild = wild >= 0
        if path is not None:
            self._before, self._after = path[: wild + 1], path[wild + 2 :]

    def __bool__(self) -> bool:
        return self.path is not None or self.prefix != "" or self.where != ()

    def holds(self, text: str, path: str, pieces: Sequence[str]) -> bool:
        """Report whether the scope holds for a text, whose path and pieces are given as
        the rule would have them tested."""
        if not text.startswith(self.prefix):
            return False
        if self.path is not None and path != self.path and not (self.is_wild and self._is_between(path)):
            return False
        return all(c.holds(pieces_of(text) if c.own else pieces) for c in self.where)

    def _is_between(self, path: str) -> bool:
        """Report whether the path is one segment that is not empty, between the texts
        around the wildcard."""
        if not path.startswith(self._before) or not path.endswith(self._after):
            return False
        segment = path[len(self._before) : len(path) - len(self._after)]
        return segment != "" and "/" not in segment

    def keys(self, tests_whole_path: bool) -> List[str]:
        """Return texts, each of which is a token or the path of every text for which the
        scope holds."""
        keys = whole_tokens(self.prefix)
        for c in self.where:
            keys += tokens(c.param) + tokens(c.value or "")
        if self.path is None or not tests_whole_path:
            return keys
        return keys + (tokens(self._before) + tokens(self._after) if self.is_wild else [self.path])
