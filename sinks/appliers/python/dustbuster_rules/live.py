"""Rules that are replaced while any number of threads apply them."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from typing import AnyStr, Callable, Dict, List, NamedTuple, Optional, Set, Union

from .domains import Domain
from .explore import ONE_IN, Exploration, is_explored, key_of
from .rulelist import RuleList
from .sites import NEEDS_HOST, Outcome, Sites, host_named


class Step(NamedTuple):
    """One edit on the way to a canonical form."""

    rule: str  #: the id
    url: str  #: after the edit


class Counts(NamedTuple):
    """What was asked of a Live since it was made."""

    asked: int  #: URLs
    changed: int  #: URLs whose canonical form differs
    by_rule: Dict[str, int]  #: URLs changed, by the id of each rule with a part in it


class Live:
    """The present rules. A Live without rules leaves all URLs as they are, so set the first
    list before URLs are used as keys. Any thread may call any method.

    domain gives registrable domains: sites by domain have no rules without it. Of the
    changed URLs, one in one_in is explored. changed is called with the new version after
    each change, in the thread that sets the list. The processes of one crawler share a secret, a
    text of at least 16 bytes, and so explore the same URLs. Without a secret, each process draws
    its own at random. host is the host of relative URLs, and of the rules of a log without host
    names; without it, these apply to relative URLs alone. Raise ValueError if the secret is too
    short, or if host is no host.
    """

    def __init__(
        self,
        domain: Optional[Domain] = None,
        one_in: int = ONE_IN,
        changed: Optional[Callable[[str], None]] = None,
        secret: Optional[str] = None,
        host: Optional[str] = None,
    ):
        key_of(secret)
        self._host = host_named(host)
        self._domain = domain
        self._one_in, self._secret = one_in, secret
        self._notify = changed
        self._lock = threading.RLock()
        self._list = RuleList()
        self._off: Set[str] = set()
        self._sites = Sites([])
        self._version = ""
        self._asked = self._changed = 0
        self._by_rule: "Counter[str]" = Counter()

    def set(self, rules: RuleList, version: str = "") -> None:
        """Replace the list. After an error the previous list stays."""
        with self._lock:
            self._compile(rules)
            is_new, self._version = version != self._version, version
        if is_new and self._notify:
            self._notify(version)

    def _compile(self, rules: RuleList) -> None:
        sites = rules.sites
        if self._off:
            sites = [replace(site, rules=[r for r in site.rules if r.id not in self._off]) for site in sites]
        self._sites, self._list = Sites(sites, self._domain, host=self._host), rules

    def close(self) -> None:
        """End the following of a source, if there is one. The rules stay."""

    def switch_off(self, rule: str) -> None:
        """Apply a rule no more, in this list and in later ones. The rules of a site were
        tried together, so the others are a list that was not tried."""
        with self._lock:
            self._off.add(rule)
            self._compile(self._list)

    def switch_on(self, rule: str) -> None:
        """Undo switch_off."""
        with self._lock:
            self._off.discard(rule)
            self._compile(self._list)

    @property
    def version(self) -> str:
        """The version of the list: the daemon's ETag, or a text that identifies the content."""
        return self._version

    @property
    def without_domain(self) -> List[str]:
        """The sites by domain that have no rules, for want of a function for domains."""
        return self._sites.without_domain

    @property
    def problem(self) -> Optional[str]:
        """Why rules of a log without host names apply to relative URLs alone, and what to do; or
        None if the list has none, or their host is named."""
        return NEEDS_HOST if self._sites.lacks_host else None

    def needs_host(self, url: AnyStr) -> bool:
        """Report whether an absolute URL is left alone only because nobody has named the host of the
        rules of a log without host names."""
        return self._sites.needs_host(url)

    @property
    def counts(self) -> Counts:
        with self._lock:
            return Counts(self._asked, self._changed, dict(self._by_rule))

    def canonical(self, url: AnyStr) -> AnyStr:
        """Return the canonical form of a URL, a text or bytes, and count it."""
        sites = self._sites
        form = sites.canonical(url)
        with self._lock:
            self._asked += 1
            if form != url:
                self._changed += 1
                self._by_rule.update({step.rule for step in _steps(sites.outcome(url))})
        return form

    def form(self, url: AnyStr) -> AnyStr:
        """Return the canonical form of a URL, a text or bytes, without counting."""
        return self._sites.canonical(url)

    def explain(self, url: Union[str, bytes]) -> List[Step]:
        """Return the edits that lead to the canonical form of a URL. There are none if no
        rule has an effect. Nothing is counted."""
        return _steps(self._sites.outcome(url))

    def explore(self, url: str, day: Optional[str] = None) -> Optional[Exploration]:
        """Return what a crawler should explore of a URL, or None, nearly always: fetch the URL as
        found even if its canonical form was seen, compare the page with the page of the form,
        and report what it saw. Nothing is counted."""
        if not is_explored(url, self._secret, self._one_in, day):
            return None
        outcome = self._sites.outcome(url)
        if outcome.found is None or outcome.url == url:
            return None
        return Exploration(outcome.found.site, url, outcome.url, self._version)


def _steps(outcome: Outcome) -> List[Step]:
    if outcome.found is None:
        return []
    rules = outcome.found.canonizer.rules
    return [Step(rules[rank].id, outcome.origin + text + outcome.fragment) for rank, text in outcome.steps]
