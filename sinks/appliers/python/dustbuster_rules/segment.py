"""Rules of the kind "segment"."""

from __future__ import annotations

import re
from typing import List, Sequence

from .edit import Edit
from .params import CLASSES


class Segment(Edit):
    """Cuts a segment of a class, such as a session, out of the path.

    >>> Segment("/s/", "digits", "/").edit("/s/123456/a?b")
    '/a?b'
    >>> Segment("/s/", "digits", "/").edit("/s/123456")
    '/s/123456'
    """

    def __init__(self, after: str, name_class: str, to: str):
        self._after, self._class, self._to = after, CLASSES[name_class], to
        self._match = re.compile("([^/?]*)" + re.escape(after) + "([^/?]+)/(?=[^/?])").match

    def edit(self, text: str) -> str:
        m = self._match(text)
        if m is None or not self._class.fullmatch(m[2]):
            return text
        return m[1] + self._to + text[m.end() :]

    def keys(self) -> List[Sequence[str]]:
        return [["/"]]
