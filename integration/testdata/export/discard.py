"""Applies a file of rules to the URLs on standard input, with duplicate-url-discarder itself."""

import sys

from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer

canonicalizer = UrlCanonicalizer([sys.argv[1]])
for line in sys.stdin:
    print(canonicalizer.process_url(line.rstrip("\n")))
