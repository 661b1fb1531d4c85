"""The path of a text, and the pieces of its query.

The path is the text before the first "?". The query behind it is cut at each "&" and ";"
into pieces, some of which may be empty. A piece is a bare name, or a name, "=" and a
value.
"""

from __future__ import annotations

import re
from typing import List, Tuple

_cut = re.compile("[&;]").split
_cut_and_keep = re.compile("([&;])").split


def path_of(text: str) -> str:
    """Return the path.

    >>> path_of("/a?b?c")
    '/a'
    """
    return text.partition("?")[0]


def pieces_of(text: str) -> List[str]:
    """Return the pieces of the query. A text without a "?" has none.

    >>> pieces_of("/a?b=1&&c;d")
    ['b=1', '', 'c', 'd']
    >>> pieces_of("/a?")
    ['']
    """
    query = text.partition("?")
    return _cut(query[2]) if query[1] else []


def split(text: str) -> Tuple[str, List[str]]:
    """Return the path, and the pieces with the separators between them. The list is empty
    if there is no "?"; else the pieces have even places in the list.

    >>> split("/a?b&c;d")
    ('/a', ['b', '&', 'c', ';', 'd'])
    """
    path, mark, query = text.partition("?")
    return path, _cut_and_keep(query) if mark else []


def name_of(piece: str) -> str:
    """Return the name of a piece, which is empty if the piece belongs to no parameter."""
    return piece.partition("=")[0]
