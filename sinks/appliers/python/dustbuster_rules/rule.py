"""A rule: an edit, and the texts that it edits."""

from __future__ import annotations

from typing import FrozenSet, List, Sequence

from .edit import Edit
from .scope import Scope


class Rule:
    """A rule of one site. A rule never changes."""

    def __init__(
        self,
        id: str,
        edit: Edit,
        scope: Scope,
        except_scopes: Sequence[Scope] = (),
        except_texts: Sequence[str] = (),
    ):
        self.id = id
        self.scope = scope
        self._edit = edit
        self._except_scopes = tuple(except_scopes)
        self._except_texts: FrozenSet[str] = frozenset(except_texts)
        self._tests = bool(scope) or bool(self._except_scopes)

    def apply(self, text: str) -> str:
        """Return the text after the rule has had its turn once. O(bytes of the text), times
        the bytes of a replaced text at worst."""
        if text in self._except_texts:
            return text
        if self._tests:
            if not text.startswith(self.scope.prefix):
                return text
            path, pieces = self._edit.tested(text)
            if not self.scope.holds(text, path, pieces):
                return text
            if any(s.holds(text, path, pieces) for s in self._except_scopes):
                return text
        return self._edit.edit(text)

    def keys(self) -> List[Sequence[str]]:
        """Return sets of texts. Every text that the rule changes has a member of each set
        among its tokens, or as its path."""
        return self._edit.keys() + [[key] for key in self.scope.keys(self._edit.tests_whole_path)]
