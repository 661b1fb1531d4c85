"""The fold of the topic of rules."""

import json
import random
import unittest

from dustbuster_rules import RefusedError
from dustbuster_rules.ledger import Fold, read_key, read_place

from .records import drop


def headers(*place):
    return [(name, str(n).encode()) for name, n in zip(("epoch", "generation", "sequence"), place)]


def rule(name, *place, site="s"):
    """A record of a rule."""
    r = drop(name, site, rank=9)
    return f"{site}/rule/{r['id']}".encode(), json.dumps(r).encode(), headers(*place)


def gone(name, *place):
    return f"s/rule/drop-{name}".encode(), None, headers(*place)


def marker(places, *place, site="s", at=5, **members):
    """A record of a marker. places are the tuples of the rules, by name."""
    rules = [{"id": f"drop-{name}", "at": list(p)} for name, p in places.items()]
    value = {"schema": 1, "site": site, "sequence": 1, "at": at, "rules": rules, "sample": {}, **members}
    return f"{site}/set".encode(), json.dumps(value).encode(), headers(*place)


def names(fold, site="s"):
    """The ids of a site's rules, in order."""
    held = fold.sets.get(site)
    return None if held is None or held.site is None else [r.id[len("drop-") :] for r in held.site.rules]


PUBLISHED = [rule("a", 1, 1, 1), rule("b", 1, 1, 2), marker({"b": (1, 1, 2), "a": (1, 1, 1)}, 1, 1, 3)]


class TestFold(unittest.TestCase):
    def fold(self, *records):
        fold = Fold()
        for r in records:
            fold.apply(*r)
        return fold

    def test_a_set_is_taken_as_a_whole(self):
        fold = Fold()
        self.assertEqual([fold.apply(*r) for r in PUBLISHED], [False, False, True])
        self.assertEqual(names(fold), ["b", "a"])
        fold.apply(*rule("a", 1, 1, 4))  # the next publication begins
        self.assertEqual(names(fold), ["b", "a"])
        fold.apply(*gone("b", 1, 1, 5))
        self.assertEqual(names(fold), ["b", "a"])
        fold.apply(*marker({"a": (1, 1, 4)}, 1, 1, 6))
        self.assertEqual(names(fold), ["a"])

    def test_the_order_of_records_does_not_matter(self):
        records = PUBLISHED + [rule("a", 2, 0, 1), rule("c", 2, 0, 2), gone("b", 2, 0, 3), marker({"a": (2, 0, 1), "c": (2, 0, 2)}, 2, 0, 4)]
        records.append(rule("z", 1, 9, 9))  # written late by the owner before
        for seed in range(200):
            random.Random(seed).shuffle(records)
            self.assertEqual(names(self.fold(*records)), ["a", "c"])

    def test_what_comes_late_is_refused(self):
        fold = self.fold(*PUBLISHED)
        for r in [rule("a", 0, 9, 9), gone("b", 1, 0, 9), marker({}, 1, 1, 2)]:
            self.assertFalse(fold.apply(*r))
        self.assertEqual((names(fold), fold.older), (["b", "a"], 3))

    def test_a_rule_that_is_newer_than_the_marker(self):
        fold = self.fold(PUBLISHED[0], PUBLISHED[1], gone("c", 1, 2, 0), PUBLISHED[2])
        self.assertIsNone(names(fold))
        fold.apply(*marker({"a": (1, 1, 1)}, 1, 2, 1))
        self.assertEqual(names(fold), ["a"])

    def test_the_end_of_a_site(self):
        fold = self.fold(*PUBLISHED)
        self.assertTrue(fold.apply(b"s/set", None, headers(2, 0, 0)))
        self.assertIsNone(names(fold))

    def test_an_unknown_rule(self):
        key, value, place = rule("a", 2, 0, 1)
        fold = self.fold(*PUBLISHED, (key, value.replace(b'"drop"', b'"burn"'), place), marker({"a": (2, 0, 1)}, 2, 0, 2))
        self.assertEqual((names(fold), "burn" in fold.sets["s"].why), ([], True))

    def test_bad_records(self):
        key, value, place = rule("a", 2, 0, 1)
        named = marker({"a": (2, 0, 1)}, 2, 0, 2)
        for bad in (
            [(b"s/set", b"{", place)],
            [marker({}, 2, 0, 1, schema=2)],
            [(b"s/set", marker({}, 2, 0, 1, site="t")[1], place)],
            [marker({"a": (1,)}, 2, 0, 1)],
            [marker({"a": (1, 1, -1)}, 2, 0, 1)],
            [(key, b"]", place), named],
            [(key, value.replace(b'"schema": 2', b'"schema": 7'), place), named],
            [(key, value.replace(b'"valid"', b'"refuted"'), place), named],
            [(key, value.replace(b'["a"]', b"[]"), place), named],
            [(key, value.replace(b'"site": "s"', b'"site": "t"'), place), named],
            [(b"s/set", b" " * ((8 << 20) + 1), place)],
            [(key, value, [])],
            [(key, value, headers("+1", 0, 0))],
            [(key, value, headers(2**63, 0, 0))],
        ):
            fold = self.fold(*PUBLISHED)
            with self.subTest(bad[-1][0]), self.assertRaises(RefusedError):
                for r in bad:
                    fold.apply(*r)
            self.assertEqual(names(fold), ["b", "a"])

    def test_memory_is_bounded(self):
        fold = Fold(most=1000)
        with self.assertRaises(RefusedError):
            for n in range(10):
                fold.apply(*rule(f"p{n}", 1, 1, n))
        fold.apply(*gone("p0", 1, 2, 0))

    def test_keys(self):
        for key, want in {"/set": ("", None), "a%2Fb%25/rule/1": ("a/b%", "1"), "owner/set": ("owner", None)}.items():
            self.assertEqual(read_key(key.encode()), want)
        for key in (b"owner", b"fetch", b"a/rule/", b"a/rule/1/2", b"a%2/set", b"a%2f/set", b"a/state/x", b"\xff/set", b"a" * 2000 + b"/set"):
            self.assertIsNone(read_key(key))
        self.assertEqual(read_place(headers(1, 2, 3)), (1, 2, 3))


if __name__ == "__main__":
    unittest.main()
