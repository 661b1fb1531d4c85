"""Tokens of a text, and the boundaries between them.

A token is a run of letters and digits, or one other character. An escape is one
character: a letter if it stands for an ASCII letter or digit or for a byte from 0x80 up,
else a token by itself.

>>> tokens("/a%2Fb")
['/', 'a', '%2F', 'b']
>>> tokens("%%41")
['%', '%41']
"""

from __future__ import annotations

import re
from typing import List

_ESCAPED_LETTER = r"%(?:[89A-Fa-f][0-9A-Fa-f]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])"
_TOKEN = re.compile(rf"(?:[0-9A-Za-z]+|{_ESCAPED_LETTER})+|%[0-9A-Fa-f]{{2}}|[^0-9A-Za-z]")
_PLAIN_TOKEN = re.compile(r"[0-9A-Za-z]+|[^0-9A-Za-z]")
_is_escape = re.compile(r"%[0-9A-Fa-f]{2}").match
_is_escaped_letter = re.compile(_ESCAPED_LETTER).match


def tokens(text: str) -> List[str]:
    """Return the tokens of a text, from the left. Their concatenation is the text."""
    return (_TOKEN if "%" in text else _PLAIN_TOKEN).findall(text)


def is_boundary(text: str, at: int) -> bool:
    """Report whether a token ends, or the text begins, before the character at an offset.

    >>> [at for at in range(7) if is_boundary("a1%41/", at)]
    [0, 5, 6]
    """
    if at <= 0 or at >= len(text):
        return True
    if "%" in text[max(0, at - 2) : at] and (_is_escape(text, at - 1) or at >= 2 and _is_escape(text, at - 2)):
        return False
    return not (_letter_before(text, at) and _letter_behind(text, at))


def _letter_before(text: str, at: int) -> bool:
    if at >= 3 and text[at - 3] == "%" and _is_escape(text, at - 3):
        return _is_escaped_letter(text, at - 3) is not None
    return text[at - 1].isalnum()


def _letter_behind(text: str, at: int) -> bool:
    if text[at] == "%":
        return _is_escaped_letter(text, at) is not None
    return text[at].isalnum()


def whole_tokens(prefix: str) -> List[str]:
    """Return the tokens of a prefix that are tokens of every text with the prefix. What
    follows the prefix may continue its last word, or complete an escape.

    >>> whole_tokens("/a-b%4")
    ['/', 'a', '-']
    """
    # Of two continuations, one makes a letter of each last escape (%FF of %, %31 of %3).
    end = len(prefix)
    while not (is_boundary(prefix + "FF", end) and is_boundary(prefix + "11", end)):
        end -= 1
    return tokens(prefix[:end])
