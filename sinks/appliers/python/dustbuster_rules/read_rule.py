"""Rules from JSON: one function for each kind."""

from __future__ import annotations

from typing import Callable, Dict, FrozenSet, List, Optional, Tuple

from .edit import Edit
from .errors import RefusedError, UnknownError
from .forms import FORMS, Form
from .members import Object, check_known, flag, items, object_of, optional_text, plain, text, texts, word
from .params import CLASSES, Order, Set, drop
from .read_scope import name_in_path, name_in_query, read_scope, value_in_path, value_in_query
from .read_template import read_template
from .rule import Rule
from .scope import Scope
from .substring import Substring

#: Members of records of all kinds.
_COMMON = frozenset(
    "schema site id kind scope except rank state support verdict first_seen validated_at by_domain hosts separators".split()
)
_MOST_SCOPES, _MOST_URLS = 3, 20


def read_rule(o: Object) -> Rule:
    """Return the rule of a record. Raise UnknownError for a rule whose meaning this
    version does not know, and RefusedError for a rule that is malformed."""
    members, read = _kind(o)
    if o.get("schema", 1) >= 2:
        check_known(o, _ALL_MEMBERS)
    for name in o:
        if name in _ALL_MEMBERS and name not in _COMMON and name not in members:
            raise RefusedError(f"a rule of kind {o['kind']!r} has no member {name!r}")
    edit = read(o)
    scope = read_scope(o.get("scope", {}))
    scopes, urls = _exceptions(o)
    if o.get("schema", 1) < 2 and any(s.is_wild for s in [scope, *scopes]):
        raise UnknownError("a segment * is no wildcard in schema 1")
    return Rule(word(o, "id"), edit, scope, scopes, urls)


def _kind(o: Object) -> "Tuple[FrozenSet[str], Callable[[Object], Edit]]":
    kind = word(o, "kind")
    if not kind:
        raise RefusedError("member 'kind' is missing")
    if kind == "parameter" and not word(o, "op"):
        raise RefusedError("member 'op' is missing")
    name = (kind, word(o, "op")) if kind == "parameter" else (kind, "")
    if name not in _KINDS:
        raise UnknownError(f"kind {' '.join(name).strip()!r} is unknown to this version")
    return _KINDS[name]


def _exceptions(o: Object) -> Tuple[List[Scope], List[str]]:
    if "except" not in o:
        return [], []
    e = object_of(o["except"], "except")
    check_known(e, ("scopes", "urls"))
    scopes = [read_scope(s) for s in items(e, "scopes")]
    urls = texts(e, "urls")
    if len(scopes) > _MOST_SCOPES or len(urls) > _MOST_URLS or not all(scopes):
        raise RefusedError("more exceptions than allowed, or an empty one")
    for name in ("scopes", "urls"):
        if name in e and not e[name]:
            raise RefusedError(f"except has an empty list of {name}")
    if not scopes and not urls:
        raise RefusedError("except is empty")
    return scopes, urls


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


def _names(o: Object) -> List[str]:
    """Return the names of a parameter rule of either schema."""
    if "param" in o:
        if "params" in o:
            raise RefusedError("a rule has param and params")
        return [plain(o["param"], "param")]
    return texts(o, "params")


def _drop(o: Object) -> Edit:
    place = word(o, "in")
    if place not in ("", "query", "path"):
        raise UnknownError(f"place {place!r} of parameters is unknown to this version")
    in_path, pattern = place == "path", _pattern(o)
    to_name, to_value = (name_in_path, value_in_path) if in_path else (name_in_query, value_in_query)
    names, value = [to_name(n) for n in _names(o)], optional_text(o, "value")
    if value is not None:
        to_value(value)
    if pattern is not None:
        if names or value is not None:
            raise RefusedError("a pattern stands beside a name or value")
        if pattern[0]:
            to_name(pattern[0])
        return drop(in_path, [], None, pattern)
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise RefusedError(f"a drop of the names {names!r}, want one or two")
    if value is not None and (len(names) > 1 or "param" in o):
        raise RefusedError("a value stands beside two names, or in a drop of schema 1")
    return drop(in_path, names, value, None)


def _pattern(o: Object) -> Optional[Tuple[str, str]]:
    if "pattern" not in o:
        return None
    p = object_of(o["pattern"], "pattern")
    if o.get("schema", 1) >= 2:
        check_known(p, ("prefix", "class"))
    name_class = word(p, "class")
    if not name_class:
        raise RefusedError("member 'class' is missing")
    if name_class not in CLASSES:
        raise UnknownError(f"class {name_class!r} of names is unknown to this version")
    return text(p, "prefix"), name_class


def _set(o: Object) -> Edit:
    names = _names(o)
    new = "value" if "param" in o else "to"
    if len(names) != 1 or "to" in o and "value" in o:
        raise RefusedError("a set needs one name and one new value")
    _only_query(o)
    return Set(name_in_query(names[0]), value_in_query(text(o, new)))


def _order(o: Object) -> Edit:
    _only_query(o)
    return Order()


def _only_query(o: Object) -> None:
    if word(o, "in") not in ("", "query"):
        raise RefusedError("only drops edit parameters outside the query")


def _form(o: Object) -> Edit:
    name = word(o, "form")
    if not name:
        raise RefusedError("member 'form' is missing")
    if name not in FORMS:
        raise UnknownError(f"form {name!r} is unknown to this version")
    return Form(name)


_KINDS: "Dict[Tuple[str, str], Tuple[FrozenSet[str], Callable[[Object], Edit]]]" = {
    ("substring", ""): (frozenset(["alpha", "beta", "at_start", "at_end", "direction"]), _substring),
    ("parameter", "drop"): (frozenset(["op", "param", "params", "pattern", "value", "in"]), _drop),
    ("parameter", "set"): (frozenset(["op", "param", "params", "value", "to", "in"]), _set),
    ("parameter", "order"): (frozenset(["op", "in"]), _order),
    ("form", ""): (frozenset(["form"]), _form),
    ("template", ""): (frozenset(["where", "edit"]), read_template),
}
_ALL_MEMBERS = _COMMON.union(*(members for members, _ in _KINDS.values()))
