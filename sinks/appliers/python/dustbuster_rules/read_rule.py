"""Rules from JSON: one function for each kind."""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Tuple

from .edit import Edit
from .errors import RefusedError
from .forms import Form
from .members import Object, flag, items, object_of, optional_text, plain, text, texts, word
from .params import Order, Set, drop
from .read_scope import name_in_path, name_in_query, read_scope, value_in_path, value_in_query
from .read_template import read_template
from .rule import Rule
from .scope import Scope
from .segment import Segment
from .substring import Substring
from .unknown import ALL_MEMBERS, COMMON, MEMBERS, OPS

_MOST_SCOPES, _MOST_URLS = 3, 20


def read_rule(o: Object) -> Rule:
    """Return the rule of a record in which nothing is unknown. Raise RefusedError for a rule
    that is malformed."""
    kind, op = word(o, "kind"), word(o, "op")
    members = OPS.get(op) if kind == "parameter" else MEMBERS.get(kind)
    if members is None:
        raise RefusedError("it has no kind, or no op")
    for name in o:
        if name in ALL_MEMBERS and name not in COMMON and name not in members:
            raise RefusedError(f"a rule of kind {kind!r} has no member {name!r}")
    edit = _READ[op if kind == "parameter" else kind](o)
    return Rule(word(o, "id"), edit, read_scope(o.get("scope")), *_exceptions(o))


def _exceptions(o: Object) -> Tuple[List[Scope], List[str]]:
    if "except" not in o:
        return [], []
    e = object_of(o["except"], "except")
    scopes = [read_scope(s, _own(o)) for s in items(e, "scopes")]
    urls = texts(e, "urls")
    if len(scopes) > _MOST_SCOPES or len(urls) > _MOST_URLS or not all(scopes) or "" in urls:
        raise RefusedError("more exceptions than allowed, or an empty one")
    if not scopes and not urls:
        raise RefusedError("except is empty")
    return scopes, urls


def _own(o: Object) -> Optional[str]:
    """Return the name of a rule that removes or changes this parameter, and no other, in the
    query. Exceptions may ask for its value."""
    names = texts(o, "params")
    is_own = o.get("op") in ("drop", "set") and len(names) == 1 and "value" not in o and _place(o) == "query"
    return names[0] if is_own else None


def _substring(o: Object) -> Edit:
    alpha, beta = text(o, "alpha"), text(o, "beta")
    at_start, at_end, direction = flag(o, "at_start"), flag(o, "at_end"), word(o, "direction")
    if direction == "beta_to_alpha":
        alpha, beta = beta, alpha
    elif direction != "alpha_to_beta":
        raise RefusedError(f"direction {direction!r} is neither alpha_to_beta nor beta_to_alpha")
    if alpha == beta:
        raise RefusedError("alpha and beta are the same text")
    return Substring(alpha, beta, at_start, at_end)


def _drop(o: Object) -> Edit:
    in_path, pattern = _place(o) == "path", _pattern(o)
    to_name, to_value = (name_in_path, value_in_path) if in_path else (name_in_query, value_in_query)
    names, value = [to_name(n) for n in texts(o, "params")], optional_text(o, "value")
    if value is not None:
        to_value(value)
    if pattern is not None:
        if names or value is not None:
            raise RefusedError("a pattern stands beside a name or value")
        if pattern[0]:
            to_name(pattern[0])
        return drop(in_path, [], None, pattern)
    if not 1 <= len(names) <= 6 or len(set(names)) < len(names):
        raise RefusedError(f"a drop of the names {names!r}, want one to six different ones")
    if value is not None and len(names) > 1:
        raise RefusedError("a value stands beside several names")
    return drop(in_path, names, value, None)


def _pattern(o: Object) -> Optional[Tuple[str, str]]:
    if "pattern" not in o:
        return None
    p = object_of(o["pattern"], "pattern")
    return text(p, "prefix"), text(p, "class")


def _set(o: Object) -> Edit:
    _place(o)
    names = texts(o, "params")
    if len(names) != 1:
        raise RefusedError("a set needs one name")
    return Set(name_in_query(names[0]), value_in_query(text(o, "to")))


def _order(o: Object) -> Edit:
    _place(o)
    return Order()


def _place(o: Object) -> str:
    return text(o, "in") if "in" in o else "query"


def _form(o: Object) -> Edit:
    return Form(text(o, "form"))


def _segment(o: Object) -> Edit:
    after, to = text(o, "after"), text(o, "to")
    if not after.startswith("/") or not after.endswith("/") or "?" in after:
        raise RefusedError(f"after is {after!r}, want the beginning of a path from slash to slash")
    if not to.endswith("/") or not after.startswith(to):
        raise RefusedError(f"to is {to!r}, want a beginning of {after!r} that ends with a slash")
    return Segment(after, text(o, "class"), to)


_READ: "Dict[str, Callable[[Object], Edit]]" = {
    "substring": _substring,
    "drop": _drop,
    "set": _set,
    "order": _order,
    "form": _form,
    "template": read_template,
    "segment": _segment,
}
