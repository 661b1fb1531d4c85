"""Hosts in normal form, and groups of hosts."""

from __future__ import annotations

import re
from typing import Dict, Iterable, List, Optional, Tuple

from .errors import RefusedError

_MOST_BYTES = 261  # 255 of a name, ":" and five digits

_authority = re.compile(r"([-0-9A-Z_a-z][-.0-9A-Z_a-z]*|\[[.0-9:A-Fa-f]+\])(?::([0-9]{1,5}))?").fullmatch


def normal_host(authority: str, default_port: str = "") -> Optional[str]:
    """Return the host of an authority in normal form: in small letters, without dots at the
    end and without the default port. Return None if the authority is not a valid host.

    >>> normal_host("WWW.Example.org.:80", "80")
    'www.example.org'
    """
    match = _authority(authority)
    if match is None or len(authority) > _MOST_BYTES:
        return None
    name = match[1].lower().rstrip(".")
    port = match[2]
    return name if port is None or port == default_port else f"{name}:{port}"


def without_port(host: str) -> str:
    """Return a host in normal form without its port.

    >>> without_port("[::1]:8080")
    '[::1]'
    """
    return host if host.endswith("]") else host.rpartition(":")[0] or host


class Groups:
    """Groups of hosts, each of which is one site."""

    def __init__(self) -> None:
        self._names: Dict[str, str] = {}
        self._exact: Dict[str, str] = {}
        self._below: Dict[str, str] = {}

    def add(self, group: str, hosts: Iterable[str]) -> None:
        """Add a group. Raise RefusedError if a host is not valid, or is in another group."""
        if not group:
            raise RefusedError("a group without a name")
        added: "List[Tuple[Dict[str, str], str]]" = []
        for pattern in hosts:
            is_pattern = pattern.startswith("*.")
            host = normal_host(pattern[2:] if is_pattern else pattern)
            if host is None or without_port(host) != host:
                raise RefusedError(f"{pattern!r} is not the name of a host")
            into = self._below if is_pattern else self._exact
            if into.get(host, group) != group:
                raise RefusedError(f"host {pattern!r} is in two groups")
            added.append((into, host))
        self._names[group] = group
        for into, host in added:
            into[host] = group

    def of(self, host: str) -> Optional[str]:
        """Return the group of a host in normal form, or None. An exact host comes before a
        pattern, a longer pattern before a shorter one."""
        if not self._names:
            return None
        name = without_port(host)
        found = self._names.get(name) or self._exact.get(name)
        while found is None and name:
            name = name.partition(".")[2]
            found = self._below.get(name)
        return found


def is_alone(name: str) -> bool:
    """Report whether a host without port is its own registrable domain: an address, or a
    name of one label."""
    return name.startswith("[") or "." not in name or re.fullmatch("[0-9.]+", name) is not None


