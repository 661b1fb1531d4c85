"""Rounds of rules over a text."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import List, Sequence, Tuple

from .index import Index
from .members import MAX_BYTES
from .rule import Rule

#: After this many rounds that change the text, the text is its own canonical form.
MAX_ROUNDS = 10

#: After this many searches for candidates in one text, all rules are candidates. This
#: bounds the cost of hostile rules.
_MOST_SEARCHES = 64

#: The rank of a rule, and the text after its edit.
Step = Tuple[int, str]


class Canonizer:
    """The rules of one site. A Canonizer never changes, and any thread may use it.

    A round applies all rules in their order, each to the result of the rule before. Rounds
    are repeated until a round changes nothing. Only the rules that the index names are
    applied, and the index is asked again after each edit, so that the result is the result
    of all rules.
    """

    def __init__(self, rules: Sequence[Rule]):
        self.rules = tuple(rules)

    @cached_property
    def _index(self) -> Index:
        """The index is made when the site is first asked for: of a long list, a crawler meets
        few sites."""
        return Index(self.rules)

    def steps(self, text: str) -> List[Step]:
        """Return the edits that lead to the canonical form, which is the text of the last
        step. There are none if the text is its own canonical form."""
        if len(text) > MAX_BYTES:
            return []
        steps: List[Step] = []
        searches, now = 1, text
        ranks: Sequence[int] = self._index.candidates(text)
        for _ in range(MAX_ROUNDS):
            before, at = now, 0
            while at < len(ranks):
                rank = ranks[at]
                at += 1
                made = self.rules[rank].apply(now)
                if made == now:
                    continue
                if len(made) > MAX_BYTES:
                    return []
                steps.append((rank, made))
                now, searches = made, searches + 1
                ranks = self._index.candidates(now) if searches <= _MOST_SEARCHES else range(len(self.rules))
                at = bisect_right(ranks, rank)
            if now == before:
                return steps if now != text else []
        return []
