"""Rules of the kind "substring"."""

from __future__ import annotations

from typing import Iterator, List, Sequence

from .edit import Edit
from .tokens import is_boundary, tokens


class Substring(Edit):
    """Replaces the leftmost occurrence of a text that stands on token boundaries.

    >>> Substring("/index", "", at_end=True).edit("/a/index")
    '/a'
    >>> Substring("/", "/print/", at_start=True).edit("/print/a")
    '/print/a'
    """

    def __init__(self, old: str, new: str, at_start: bool = False, at_end: bool = False):
        self.old = old
        self.new = new
        self.at_start = at_start
        self.at_end = at_end
        self._inside = [k for k in range(len(new) - len(old) + 1) if new.startswith(old, k)]

    def edit(self, text: str) -> str:
        for at in self._places(text):
            end = at + len(self.old)
            if is_boundary(text, at) and is_boundary(text, end) and not self._is_made(text, at):
                made = text[:at] + self.new + text[end:]
                if made.startswith("/") or not text.startswith("/"):
                    return made
        return text

    def _places(self, text: str) -> Iterator[int]:
        """Yield the occurrences of the old text at the anchors, from the left."""
        last = len(text) - len(self.old)
        if self.at_end:
            if last >= 0 and text.endswith(self.old) and (last == 0 or not self.at_start):
                yield last
            return
        if self.at_start or not self.old:
            if text.startswith(self.old):
                yield 0
            return
        at = text.find(self.old)
        while at >= 0:
            yield at
            at = text.find(self.old, at + 1)

    def _is_made(self, text: str, at: int) -> bool:
        """Report whether the occurrence lies within an occurrence of the new text whose
        ends lie on boundaries."""
        for k in self._inside:
            start = at - k
            if start < 0:
                return False
            end = start + len(self.new)
            if text.startswith(self.new, start) and is_boundary(text, start) and is_boundary(text, end):
                return True
        return False

    def keys(self) -> List[Sequence[str]]:
        return [[token] for token in tokens(self.old)]
