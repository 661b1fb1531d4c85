"""What all kinds of edits have in common."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from .query import path_of, pieces_of


class Edit:
    """The edit of a rule. A subclass is one kind of rule. Edits never change."""

    #: Whether a scope compares the path of the text as it is, and not as the edit leaves it.
    tests_whole_path = True

    def edit(self, text: str) -> str:
        """Return the text after the edit, which may be the same text."""
        raise NotImplementedError

    def tested(self, text: str) -> Tuple[str, Sequence[str]]:
        """Return the path and the pieces that scopes are tested on."""
        return path_of(text), pieces_of(text)

    def keys(self) -> List[Sequence[str]]:
        """Return sets of texts. Every text that the edit changes has a member of each set
        among its tokens."""
        return []
