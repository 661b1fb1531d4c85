"""Errors of reading rules."""

from __future__ import annotations


class RefusedError(ValueError):
    """A list of rules is refused as a whole. The message names the line or the site."""


class UnknownError(ValueError):
    """This version does not know the meaning of a rule. No rule of its site is applied."""
