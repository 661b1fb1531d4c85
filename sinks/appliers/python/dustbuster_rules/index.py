"""Which rules may change a text, found without asking each rule."""

from __future__ import annotations

from collections import Counter
from typing import Dict, List, Sequence

from .query import path_of
from .rule import Rule
from .tokens import tokens


class Index:
    """Rules by a token, or by the path, of the texts that they change.

    Each rule stands under a set of texts of which every text that the rule changes has one:
    among all such sets of the rule, the set that the fewest rules share. A rule without such
    a set may change any text. So candidates are too many rather than too few.
    """

    def __init__(self, rules: Sequence[Rule]):
        sets = [rule.keys() for rule in rules]
        uses = Counter(key for keys in sets for one in keys for key in one)
        by_key: Dict[str, List[int]] = {}
        self._always: List[int] = []
        for rank, keys in enumerate(sets):
            if not keys:
                self._always.append(rank)
                continue
            for key in set(min(keys, key=lambda one: (sum(uses[k] for k in one), -sum(map(len, one))))):
                by_key.setdefault(key, []).append(rank)
        self._by_key = by_key
        self._keys = set(by_key)
        self._has_paths = any(len(tokens(key)) > 1 for key in by_key)

    def candidates(self, text: str) -> List[int]:
        """Return the ranks of all rules that may change a text, in ascending order.
        O(bytes of the text + candidates). Callers must not modify the list."""
        parts = tokens(text)
        if self._has_paths:
            parts.append(path_of(text))
        found = self._keys.intersection(parts)
        if not found:
            return self._always
        if len(found) == 1 and not self._always:
            return self._by_key[found.pop()]
        ranks = set(self._always)
        ranks.update(*map(self._by_key.__getitem__, found))
        return sorted(ranks)
