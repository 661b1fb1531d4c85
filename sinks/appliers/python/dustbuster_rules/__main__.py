"""The command of the applier: see sinks/appliers/README.md."""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
from typing import List, Optional

from .domains import Domain, two_labels
from .errors import RefusedError
from .follow import follow
from .live import Live
from .rulelist import read

_PASSES = 5


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m dustbuster_rules", description="Apply rules to the URLs on standard input.")
    parser.add_argument("command", choices=["canon", "bench", "lists"])
    parser.add_argument("--rules", metavar="FILE", help="a file, a daemon's address, or kafka://BROKERS/TOPIC")
    parser.add_argument("--host", help="of relative URLs, and of the rules of a log without host names")
    parser.add_argument("--steps", action="store_true", help="print the ids of the rules of each step")
    parser.add_argument("--two-labels", action="store_true", help="take the last two labels of a name for its registrable domain")
    options = parser.parse_args(arguments)
    domain = two_labels if options.two_labels else None
    if (options.rules is None) != (options.command == "lists"):
        parser.error("canon and bench need --rules, and lists has no rules")
    lines = (line[:-1] if line.endswith(b"\r") else line for line in (line.rstrip(b"\n") for line in sys.stdin.buffer))
    if options.command == "lists":
        for line in lines:
            sys.stdout.buffer.write(b"\t".join(forms(*line.split(b"\t"), domain=domain, host=options.host)) + b"\n")
        return 0
    try:
        rules = follow(options.rules, domain=domain, host=options.host)
    except (OSError, ValueError) as e:
        print(f"{options.rules}: {e}", file=sys.stderr)
        return 1
    for site in rules.without_domain:
        print(f"site {site!r} has no rules: install tldextract or publicsuffix2", file=sys.stderr)
    if rules.problem:
        print(f"{options.rules}: {rules.problem}", file=sys.stderr)
    if options.command == "bench":
        print(json.dumps(bench(rules, list(lines))))
        return 0
    for url in lines:
        if rules.needs_host(url):
            sys.stderr.write(f"canonize {url.decode('utf-8', 'replace')!r}: the rules name no host: add --host www.example.org with the host of the rules\n")
            return 1
        form = rules.canonical(url)
        if options.steps:
            form += b"\t" + " ".join(step.rule for step in rules.explain(url)).encode()
        sys.stdout.buffer.write(form + b"\n")
        sys.stdout.buffer.flush()
    return 0


def forms(list: bytes, *urls: bytes, domain: Optional[Domain], host: Optional[str]) -> List[bytes]:
    """Return the forms of URLs by a list, in base64."""
    rules = Live(domain=domain, host=host)
    try:
        rules.set(read(base64.b64decode(list)))
    except RefusedError:
        return [b"refused"]
    return [rules.form(url) for url in urls]


def bench(rules: Live, lines: List[bytes]) -> "dict[str, int]":
    """Return the time of one URL in nanoseconds: the least of some passes."""
    urls = [line.decode("utf-8", "replace") for line in lines]
    changed = sum(rules.canonical(url) != url for url in urls)
    least = min(_pass(rules, urls) for _ in range(_PASSES))
    return {"urls": len(urls), "changed": changed, "ns": least // max(1, len(urls))}


def _pass(rules: Live, urls: List[str]) -> int:
    canonical, start = rules.canonical, time.perf_counter_ns()
    for url in urls:
        canonical(url)
    return time.perf_counter_ns() - start


if __name__ == "__main__":
    sys.exit(main())
