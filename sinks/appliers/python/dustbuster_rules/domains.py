"""The registrable domain of a host: the label below its public suffix, and the suffix.

The public suffix list changes often and is not part of this package. A function gives the
domain of a name. `installed` returns the function of a library that is installed.
"""

from __future__ import annotations

from typing import Callable, Optional

from .hosts import is_alone, without_port

#: Returns the registrable domain of a name in small letters without port, such as
#: "example.co.uk" of "www.example.co.uk". Of a public suffix it may return any value that is
#: false. It is not asked of addresses and of names with one label.
Domain = Callable[[str], Optional[str]]


def domain_of(host: str, domain: Domain) -> str:
    """Return the registrable domain of a host in normal form.

    >>> domain_of("www.example.org:8080", two_labels)
    'example.org'
    >>> domain_of("127.0.0.1", two_labels)
    '127.0.0.1'
    """
    name = without_port(host)
    return name if is_alone(name) else domain(name) or name


def two_labels(name: str) -> str:
    """Return the last two labels of a name. This is right for tests alone."""
    return ".".join(name.split(".")[-2:])


def installed() -> Optional[Domain]:
    """Return a function that uses tldextract or publicsuffix2, or None if neither is
    installed. Both have their own copy of the list, and no network is used. The private
    part of the list counts too."""
    try:
        import tldextract
    except ImportError:
        return _publicsuffix2()
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)

    def registrable(name: str) -> Optional[str]:
        parts = extract(name)
        if not parts.suffix:  # a suffix that is not in the list has one label
            return two_labels(name)
        return f"{parts.domain}.{parts.suffix}" if parts.domain else None

    return registrable


def _publicsuffix2() -> Optional[Domain]:
    try:
        import publicsuffix2
    except ImportError:
        return None
    known = publicsuffix2.PublicSuffixList()

    def registrable(name: str) -> Optional[str]:
        found: Optional[str] = known.get_sld(name)
        return found

    return registrable
