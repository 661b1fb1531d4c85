"""Whole URLs, and the rules of their hosts."""

import unittest

from dustbuster_rules import Live, RefusedError, read
from dustbuster_rules.domains import installed, two_labels

from .records import drop, lines, substring


def live(*records, domain=two_labels, host=None):
    rules = Live(domain, host=host)
    rules.set(read(lines(*records)))
    return rules


class TestURLs(unittest.TestCase):
    def test_texts(self):
        rules = live(drop("sid"), substring("/ab", "/%C3%84", rank=2))
        for url, form in {
            "http://a.example/x?sid=1&b": "http://a.example/x?b",
            "HTTPS://A.Example.:443/x?sid#top": "HTTPS://A.Example.:443/x",
            "http://a.example": "http://a.example/",
            "http://a.example?sid=2": "http://a.example/",
            'http://a.example/a b"<é>?sid=ü': "http://a.example/a%20b%22%3C%C3%A9%3E",
            "http://a.example/ab": "http://a.example/%C3%84",
            "http://a.example/a#\n": "http://a.example/a",
            "http://a.example:81/?sid": "http://a.example:81/?sid",
            "http://user@a.example/?sid": "http://user@a.example/?sid",
            "http://a.example\\@evil.example/?sid": "http://a.example\\@evil.example/?sid",
            "http://a.example/\n?sid": "http://a.example/\n?sid",
            "http://a.example/\ud800?sid": "http://a.example/\ud800?sid",
            "httpſ://a.example/?sid": "httpſ://a.example/?sid",
            "ftp://a.example/?sid": "ftp://a.example/?sid",
            "/?sid": "/?sid",
            "": "",
        }.items():
            with self.subTest(url):
                self.assertEqual(rules.canonical(url), form)
                self.assertEqual(rules.canonical(form), form)

    def test_lengths(self):
        rules = live(drop("sid"))
        for n, changes in ((2048 - len("/?sid="), True), (2049 - len("/?sid="), False)):
            self.assertEqual(rules.canonical("http://a.example/?sid=" + "x" * n) == "http://a.example/", changes)
        url = "http://a.example/?sid=" + " " * 681
        self.assertIs(rules.canonical(url), url)

    def test_groups(self):
        hosts = {"hosts": ["shop.example", "*.shop.example", "third.example"], "by_domain": True}
        rules = live(
            substring("www.shop.example/", "third.example/", "shop", **hosts),
            substring("third.example/out", "a.example/", "shop", 2, **hosts),
            drop("sid", "shop", 3, **hosts),
            drop("sid", "www.example.org"),
            drop("q", ""),
            host="any.example:99",
        )
        for url, form in {
            "https://WWW.shop.example:443/a?sid=1": "https://third.example/a",
            "http://x.y.shop.example:81/a?sid=1": "http://x.y.shop.example:81/a",
            "http://shop/?sid": "http://shop/",
            "http://third.example/out": "http://third.example/out",
            "http://www.example.org/?q&sid": "http://www.example.org/?q",
            "http://any.example:99/?q&sid": "http://any.example:99/?sid",
        }.items():
            self.assertEqual(rules.canonical(url), form)

    def test_domains(self):
        own = {"by_domain": True}
        records = [
            substring("www.example.org/", "example.org:8080/", "example.org", 1, **own),
            substring("m.example.org/", "example.com/", "example.org", 2, **own),
            drop("q", ""),
        ]
        rules = live(*records, host="badexample.org")
        self.assertEqual(rules.canonical("http://WWW.example.org:80/a?q"), "http://example.org:8080/a?q")
        self.assertEqual(rules.canonical("http://m.example.org/a#b"), "http://m.example.org/a")
        self.assertEqual(rules.canonical("http://badexample.org/?q"), "http://badexample.org/")
        self.assertEqual([s.url for s in rules.explain("https://WWW.example.org/a")], ["https://example.org:8080/a"])
        without = live(*records, domain=None, host="other.example")
        self.assertEqual(without.without_domain, ["example.org"])
        self.assertEqual(without.canonical("http://www.example.org/a?q#x"), "http://www.example.org/a?q#x")
        self.assertEqual(without.canonical("http://other.example/?q"), "http://other.example/")

    def test_rules_without_a_site(self):
        bare, named = (live(drop("q", ""), drop("sid"), host=host) for host in (None, "B.example."))
        self.assertEqual(bare.canonical("http://b.example/?q#f"), "http://b.example/?q#f")
        self.assertEqual(bare.canonical(b"/?q#f"), b"/")
        self.assertIn("apply to paths alone: name their host", bare.problem)
        self.assertEqual(named.canonical("http://b.example/?q#f"), "http://b.example/")
        self.assertEqual(named.canonical("http://c.example/?q#f"), "http://c.example/?q#f")
        self.assertEqual([s.url for s in named.explain("/a?q#!f")], ["/a#!f"])
        self.assertIsNone(named.problem)
        self.assertIsNone(live(drop("sid")).problem)
        for host in ("a b", "http://a.example", "a.example/"):
            with self.assertRaises(ValueError):
                Live(host=host)

    def test_refused_sites(self):
        for records in (
            [drop("a", "A.example")],
            [drop("a", "a.example.")],
            [drop("a", "www.a.example", by_domain=True)],
            [drop("a", "", by_domain=True)],
            [drop("a", "www.a.example"), drop("a", "a.example", by_domain=True)],
            [drop("a", "g", hosts=["a b"])],
            [drop("a", "g", hosts=["a:80"])],
            [drop("a", "g", hosts=["a"]), drop("a", "h", hosts=["a"])],
        ):
            with self.subTest(records), self.assertRaises(RefusedError):
                live(*records)

    def test_installed_domains(self):
        domain = installed()
        if domain is None:
            self.skipTest("neither tldextract nor publicsuffix2 is installed")
        for name, want in {
            "www.example.co.uk": "example.co.uk",
            "example.co.uk": "example.co.uk",
            "b.s3.amazonaws.com": "b.s3.amazonaws.com",
            "a.b.nosuchsuffix": "b.nosuchsuffix",
        }.items():
            self.assertEqual(domain(name), want)
        self.assertFalse(domain("co.uk") not in (None, "", "co.uk"))


class TestBytes(unittest.TestCase):
    def test_bytes(self):
        rules = live(drop("sid"))
        for url, form in {
            b"http://a.example/?sid=1#f": b"http://a.example/",
            b"http://a.example/\xff\xc3\xa9?sid": b"http://a.example/%FF%C3%A9",
            b"http://a.example/\xed\xa0\x80": b"http://a.example/%ED%A0%80",
            b"http://\xff/?sid": b"http://\xff/?sid",
        }.items():
            self.assertEqual(rules.canonical(url), form)
        self.assertEqual(rules.counts.changed, 3)
        self.assertEqual(rules.explain(b"http://a.example/\xff?sid")[0].url, "http://a.example/%FF")
        url = b"http://a.example/"
        self.assertIs(rules.canonical(url), url)

    def test_half_of_a_surrogate_pair(self):
        rules = live(drop("sid"))
        for half in ("\ud800", "\udc80", "\udfff"):
            for url in (f"http://a.example/{half}?sid", f"http://a.example/?sid#{half}"):
                self.assertEqual(rules.canonical(url), url)
        self.assertEqual(rules.canonical("http://a.example/\U0001f600?sid"), "http://a.example/%F0%9F%98%80")


class TestLists(unittest.TestCase):
    def test_what_is_left_out(self):
        rules = read(lines(drop("a"), drop("b", rank=2, kind="burn"), drop("c", "b.example"), drop("d", "b.example", 2, state="refuted")))
        self.assertEqual((len(rules), rules.unknown, rules.other), (1, 1, 1))
        self.assertIn("a.example", rules.why)
        everywhere = live(drop("a", note=1), drop("b", ""), host="a.example")
        url = "http://a.example/?a&b#c"
        self.assertEqual(everywhere.canonical(url), url)

    def test_refused_lists(self):
        good = lines(drop("a"))
        for bad in (
            good + "nonsense\n",
            good[:30],
            "[]\n",
            lines(drop("a", schema=3)),
            lines(drop("a", schema=3, state="likely")),
            lines(drop("a"), drop("b")),
            lines(drop("a", rank="1")),
            lines(drop("a", rank=1.5)),
            lines(drop("a", params=[])),
            lines(drop("a", params=list("abcdefg"))),
            lines(drop("a=b")),
            lines(drop("a", to="b")),
            lines(drop("a", scope={"prefix": ""})),
            lines(drop("a", scope={"path": "/*/*/"})),
            lines(drop("a", scope={"where": [{"param": "b"}] * 3})),
            lines(drop("a", **{"except": {}})),
            lines(drop("a", **{"except": {"scopes": [{}]}})),
            lines(drop("a", **{"except": {"urls": ["/"] * 21}})),
            lines(substring("/a", "/a")),
            lines(substring("/a\n", "/b")),
            lines(substring("/" + "a" * 2048, "/b")),
            lines(substring("/a", "/b", direction="")),
            lines(drop("a"), drop("b", rank=2, by_domain=True)),
            "[" * 100_000,
        ):
            with self.subTest(bad[:200]), self.assertRaises(RefusedError):
                read(bad)
        self.assertEqual(len(read(good.encode() + b"\n\r\n")), 1)


if __name__ == "__main__":
    unittest.main()
