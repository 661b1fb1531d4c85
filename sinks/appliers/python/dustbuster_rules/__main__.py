"""The command of the applier: see sinks/appliers/README.md."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import List, Optional

from .domains import two_labels
from .follow import follow
from .live import Live

_PASSES = 5


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m dustbuster_rules", description="Apply rules to the URLs on standard input.")
    parser.add_argument("command", choices=["canon", "bench"])
    parser.add_argument("--rules", required=True, metavar="FILE", help="a file, a daemon's address, or kafka://BROKERS/TOPIC")
    parser.add_argument("--steps", action="store_true", help="print the ids of the rules of each step")
    parser.add_argument("--two-labels", action="store_true", help="take the last two labels of a name for its registrable domain")
    options = parser.parse_args(arguments)
    try:
        rules = follow(options.rules, domain=two_labels if options.two_labels else None)
    except (OSError, ValueError) as e:
        print(f"{options.rules}: {e}", file=sys.stderr)
        return 1
    for site in rules.without_domain:
        print(f"site {site!r} has no rules: install tldextract or publicsuffix2", file=sys.stderr)
    lines = (line.rstrip(b"\n").decode("utf-8", "surrogateescape") for line in sys.stdin.buffer)
    if options.command == "bench":
        print(json.dumps(bench(rules, list(lines))))
        return 0
    for url in lines:
        form = rules.canonical(url)
        if options.steps:
            form += "\t" + " ".join(step.rule for step in rules.explain(url))
        sys.stdout.buffer.write(form.encode("utf-8", "surrogateescape") + b"\n")
        sys.stdout.buffer.flush()
    return 0


def bench(rules: Live, urls: List[str]) -> "dict[str, int]":
    """Return the time of one URL in nanoseconds: the least of some passes."""
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
