"""The rules of all sites, applied to whole URLs."""

from __future__ import annotations

from typing import AnyStr, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from .address import Address, cut, default_port, host_of, is_relative, is_unicode, text_of
from .canonizer import Canonizer, Step
from .domains import Domain, domain_of
from .errors import RefusedError
from .hosts import Groups, normal_host, without_port
from .members import MAX_BYTES
from .rulelist import Site

_MOST_CACHED = 10_000  # authorities
_BYTES = "latin-1"  # one byte in each character


#: What to do about a list that needs a host.
NEEDS_HOST = "the rules of a log without host names apply to paths alone: name their host, such as www.example.org, with host"


def host_named(host: Optional[str]) -> str:
    """Return the normal form of the host that a reader names, or an empty text without one. Raise
    ValueError if it is no host."""
    normal = normal_host(host) if host else ""
    if normal is None:
        raise ValueError(f"{host!r} is not a host, such as www.example.org")
    return normal


def _text(url: bytes) -> str:
    return url.decode(_BYTES)


class Found(NamedTuple):
    """The rules of a host."""

    site: str
    canonizer: Canonizer
    prefix: str = ""  #: the host in normal form before texts, if the site has several hosts


class Outcome(NamedTuple):
    """The canonical form of a URL."""

    url: str
    steps: Sequence[Step] = ()  #: none if no rule has an effect
    found: Optional[Found] = None  #: None for a URL that is left alone
    origin: str = ""  #: what stands before the texts of the steps
    fragment: str = ""  #: what stands behind them


class Sites:
    """The rules of any number of sites. A Sites never changes, and any thread may use it.

    Raise RefusedError for a site whose name or hosts are not valid, or that excludes a site
    before it: a host beside its domain, a host in two groups. If left_out is a list, such
    sites are left out, and the errors appended to the list. Without a function for
    registrable domains, sites by domain have no rules, and `without_domain` names them.

    Relative URLs are of the host that is named, and so are the rules of the site without a name.
    If no host is named, these rules apply to relative URLs alone, and `lacks_host` says so.
    """

    def __init__(
        self,
        sites: Iterable[Site],
        domain: Optional[Domain] = None,
        left_out: Optional[List[RefusedError]] = None,
        host: Optional[str] = None,
    ):
        self._host = host_named(host)
        self.kept: List[Site] = []
        self.without_domain: List[str] = []
        self._domain = domain
        self._hosts: Dict[str, Canonizer] = {}
        self._domains: Dict[str, Canonizer] = {}
        self._domains_of_hosts: Set[str] = set()
        self._groups = Groups()
        self._grouped: Dict[str, Canonizer] = {}
        self._cache: Dict[Tuple[str, str], Optional[Found]] = {}
        sites = list(sites)
        self._has_domains = domain is not None and any(s.by_domain and not s.hosts for s in sites)
        for site in sites:
            try:
                self._add(site)
            except RefusedError as e:
                error = RefusedError(f"site {site.name!r}: {e}")
                if left_out is None:
                    raise error from None
                left_out.append(error)
            else:
                self.kept.append(site)

    @property
    def lacks_host(self) -> bool:
        """Whether there are rules of the site without a name, and no host is named."""
        return not self._host and "" in self._hosts and bool(self._hosts[""].rules)

    def needs_host(self, url: AnyStr) -> bool:
        """Report whether the only rules that may be those of an absolute URL are of the site without
        a name, and no host is named. Such a URL is left alone."""
        if not self.lacks_host:
            return False
        address = cut(_text(url) if isinstance(url, bytes) else url)
        if address is None or not address.scheme:
            return False
        host = host_of(address.scheme, address.authority)
        return host is not None and self._groups.of(host) is None and host not in self._hosts and not (self._domains and self._by_domain(host))

    def _add(self, site: Site) -> None:
        if site.hosts and not site.name:
            raise RefusedError("a group without a name")
        if site.hosts:
            self._groups.add(site.name, site.hosts)
            self._grouped[site.name] = Canonizer(site.rules)
        elif site.by_domain:
            self._add_domain(site)
        elif site.name:
            self._add_host(site)
        else:
            self._hosts[""] = Canonizer(site.rules)

    def _add_host(self, site: Site) -> None:
        if normal_host(site.name) != site.name:
            raise RefusedError("not a host in normal form")
        if self._has_domains:
            if self._by_domain(site.name) is not None:
                raise RefusedError("its domain is a site too")
            self._domains_of_hosts.add(self._domain_of(site.name))
        self._hosts[site.name] = Canonizer(site.rules)

    def _add_domain(self, site: Site) -> None:
        if normal_host(site.name) != site.name:
            raise RefusedError("not a host in normal form")
        if self._domain is None:
            self.without_domain.append(site.name)
        elif self._domain_of(site.name) != site.name:
            raise RefusedError("not a registrable domain")
        if site.name in self._domains_of_hosts:
            raise RefusedError("a host of the domain is a site too")
        self._domains[site.name] = Canonizer(site.rules if self._domain else [])

    def _domain_of(self, host: str) -> str:
        return domain_of(host, self._domain) if self._domain else host

    def canonical(self, url: AnyStr) -> AnyStr:
        """Return the canonical form of a URL, a text or bytes. A URL that is left alone is
        returned as it is, the very same object."""
        form = self.outcome(url).url
        if isinstance(url, str):
            return form
        return url if form == _text(url) else form.encode(_BYTES)

    def outcome(self, url: Union[str, bytes]) -> Outcome:
        """Return the canonical form of a URL as a text, and the steps to it. Each character of
        a URL that was given as bytes is one byte."""
        if isinstance(url, bytes):
            return self._outcome(_text(url), _BYTES)
        return self._outcome(url, "utf-8") if is_unicode(url) else Outcome(url)

    def _outcome(self, url: str, encoding: str) -> Outcome:
        address = cut(url)
        found = address and self._find(address.scheme, address.authority)
        if not address or not found:
            return Outcome(url)
        path = text_of(address.path, encoding)
        if path is None or len(found.prefix) + len(path) > MAX_BYTES:
            return Outcome(url)
        steps = found.canonizer.steps(found.prefix + path)
        origin, made = address.scheme + address.authority, path
        if steps:
            resolved = self._resolve(address, found.prefix, steps[-1][1])
            if resolved is None:
                steps = []
            else:
                origin, made = resolved
        form = origin + made + address.fragment
        return Outcome(url if form == url else form, steps, found, (address.scheme or "//") if found.prefix else origin, address.fragment)

    def _find(self, scheme: str, authority: str) -> Optional[Found]:
        """Return the rules of a host, or None if the host is not valid or has none."""
        key = (scheme, authority)
        try:
            return self._cache[key]
        except KeyError:
            pass
        host = host_of(scheme, authority) if scheme else self._host
        found = None if host is None else self._find_host(host)
        if len(self._cache) >= _MOST_CACHED:
            self._cache.clear()
        self._cache[key] = found
        return found

    def _find_host(self, host: str) -> Optional[Found]:
        group = self._groups.of(host)
        if group is not None:
            found = Found(group, self._grouped[group], host)
        elif host in self._hosts:
            found = Found(host, self._hosts[host])
        elif self._domains and self._by_domain(host) is not None:
            domain = self._by_domain(host) or ""
            found = Found(domain, self._domains[domain], host)
        elif host == self._host and "" in self._hosts:
            found = Found("", self._hosts[""])
        else:
            return None
        return found if found.canonizer.rules else None

    def _by_domain(self, host: str) -> Optional[str]:
        """Return the site by domain of a host, or None. Without a function for domains, all
        hosts below a site's name are hosts of the site."""
        if self._domain is not None:
            name = self._domain_of(host)
            return name if name in self._domains else None
        name = without_port(host)
        while name and name not in self._domains:
            name = name.partition(".")[2]
        return name or None

    def _resolve(self, address: Address, host: str, text: str) -> Optional[Tuple[str, str]]:
        """Cut a canonical text of a site into origin and path, or return None if its host
        is not one of the site."""
        made, slash, rest = text.partition("/")
        if not slash:
            return None
        path = slash + rest
        if not address.scheme:
            return ("", path) if made == host and is_relative(path) else None
        if made == host:
            return address.scheme + address.authority, path
        if normal_host(made, default_port(address.scheme)) != made or not self._are_together(made, host):
            return None
        return address.scheme + made, path

    def _are_together(self, one: str, other: str) -> bool:
        group = self._groups.of(other)
        if group is not None:
            return self._groups.of(one) == group
        return self._groups.of(one) is None and self._by_domain(one) == self._by_domain(other)
