"""Scopes from JSON."""

from __future__ import annotations

from typing import Any, List, Optional

from .errors import RefusedError
from .members import Object, flag, items, object_of, optional_text, plain, text
from .scope import Condition, Scope

_MOST_CONDITIONS = 2


def read_scope(value: Any, own: Optional[str] = None) -> Scope:
    """Return the scope of a JSON object. own is the parameter of the rule, if the scope is
    an exception that may ask for the parameter's value.

    >>> read_scope({"path": "/a"}).holds("/a?b", "/a", ["b"])
    True
    """
    o = object_of(value, "scope")
    path = optional_text(o, "path")
    if path is not None and ("?" in path or "/*/" in path.partition("/*/")[2] or "/*/*/" in path):
        raise RefusedError(f"path {path!r} holds a question mark or several segments *")
    prefix = optional_text(o, "prefix")
    if prefix == "":
        raise RefusedError("the prefix of a scope is empty")
    return Scope(path, prefix or "", _conditions(o, own))


def _conditions(o: Object, own: Optional[str]) -> List[Condition]:
    where = [_condition(c, own) for c in items(o, "where")]
    if len(where) > _MOST_CONDITIONS:
        raise RefusedError(f"{len(where)} conditions in a scope")
    if len({(c.param, c.value, c.valued, c.own, c.begins) for c in where}) < len(where):
        raise RefusedError("two equal conditions in a scope")
    return where


def _condition(value: Any, own_of_rule: Optional[str]) -> Condition:
    o = object_of(value, "a condition")
    valued, one = flag(o, "valued", False), optional_text(o, "value")
    if valued and one is not None:
        raise RefusedError("a condition asks for one value and for any")
    own, begins = flag(o, "own", False), optional_text(o, "begins")
    if begins is not None and not own:
        raise RefusedError("a condition asks how a value begins, but not of the rule's own parameter")
    if own and (valued or (one is None) == (begins is None)):
        raise RefusedError("a condition on the own parameter asks for a value, or for how the value begins")
    name = name_in_query(text(o, "param"))
    if own and name != own_of_rule:
        raise RefusedError(f"the rule does not edit {name!r} alone, in the query")
    if begins == "":
        raise RefusedError("a beginning is empty")
    return Condition(name, one if one is None else value_in_query(one), valued, own, value_in_query(begins or ""))


def name_in_query(name: str) -> str:
    """Return the name of a parameter, if it can be one."""
    return _piece(name, "&;=", "name")


def value_in_query(value: str) -> str:
    return _without(value, "&;", "value")


def name_in_path(name: str) -> str:
    return _piece(name, ";/?=", "name")


def value_in_path(value: str) -> str:
    return _without(value, ";/?", "value")


def _piece(name: str, separators: str, what: str) -> str:
    if not name:
        raise RefusedError("a name is empty")
    return _without(name, separators, what)


def _without(value: str, separators: str, what: str) -> str:
    if any(c in value for c in separators):
        raise RefusedError(f"{what} {value!r} holds a separator")
    return plain(value, what)
