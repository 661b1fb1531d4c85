"""Rules that change while they are applied."""

import io
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from contextlib import redirect_stderr
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from dustbuster_rules import Live, RefusedError, follow, read
from dustbuster_rules.__main__ import main
from dustbuster_rules.explore import is_explored
from dustbuster_rules.follow import refresh
from dustbuster_rules.sources import Daemon, File

from .records import drop, lines

URL, FORM = "http://a.example/?sid=1", "http://a.example/"


class TestLive(unittest.TestCase):
    def test_counts(self):
        rules = Live()
        self.assertEqual(rules.canonical(URL), URL)
        rules.set(read(lines(drop("sid"), drop("ref", rank=2))), "one")
        for url in (URL, URL + "&ref=2", FORM, URL + "#top"):
            self.assertEqual(rules.canonical(url), FORM)
        self.assertEqual(rules.canonical(FORM + "#top"), FORM)
        self.assertEqual(rules.counts, (6, 4, {"drop-sid": 3, "drop-ref": 1}))
        self.assertEqual([s.rule for s in rules.explain(URL + "&ref=2")], ["drop-sid", "drop-ref"])

    def test_a_rule_is_switched_off(self):
        rules = Live()
        rules.set(read(lines(drop("sid"), drop("ref", rank=2))), "one")
        rules.switch_off("drop-sid")
        self.assertEqual(rules.canonical(URL + "&ref"), URL)
        rules.set(read(lines(drop("sid"))), "two")
        self.assertEqual(rules.canonical(URL), URL)
        rules.switch_on("drop-sid")
        self.assertEqual(rules.canonical(URL), FORM)

    def test_a_refused_list_changes_nothing(self):
        versions = []
        rules = Live(changed=versions.append)
        rules.set(read(lines(drop("sid"))), "one")
        with self.assertRaises(RefusedError):
            rules.set(read(lines(drop("sid", "A"))), "two")
        rules.set(read(lines(drop("sid"))), "one")
        self.assertEqual((rules.canonical(URL), rules.version, versions), (FORM, "one", ["one"]))

    def test_threads(self):
        """While lists come and go, each form is one of the lists'."""
        rules = Live()
        rules.set(read(lines(drop("sid"))))
        seen, asked = set(), 2000
        threads = [threading.Thread(target=lambda: seen.update(rules.canonical(URL + "&ref") for _ in range(asked))) for _ in range(3)]
        for t in threads:
            t.start()
        for n in range(50):
            rules.set(read(lines(drop("sid"), drop("ref", rank=2)) if n % 2 else lines(drop("sid"))))
        for t in threads:
            t.join()
        self.assertLessEqual(seen, {FORM, FORM + "?ref"})
        self.assertEqual(rules.counts.asked, 3 * asked)


class TestExploration(unittest.TestCase):
    def test_marks(self):
        """The examples of docs/conformance/README.md."""
        short, long = "an-example-secret", "the secret of a crawler \u2013 longer than the 64 bytes of one block of SHA-256"
        for secret, url, remainder in (
            (short, "http://www.example.org/a?sid=1", 0x5278BCAC681DEC90),
            (short, "https://www.example.org/", 0x1877124397E9A2F0),
            (short, "http://h/%C3%A9?x=1#f", 0xCF92790386D867EC),
            (short, "http://h/\u00e9", 0xAE70CE8F210CB6B4),
            (short, "http://www.example.org/a?sid=1530", 0x1D80DC55188E4D00),
            (short, "http://www.example.org/a?sid=3382", 0xD93E4D4ADD445B50),
            (long, "https://www.example.org/", 0xF817ED43DF28161B),
        ):
            for one_in in (1, 3, 4, 5, 20, 1000, remainder):
                self.assertEqual(is_explored(url, secret, one_in, "2026-11-22"), remainder % one_in == 0, (url, one_in))
            self.assertFalse(is_explored(url, secret, remainder, "2026-11-23"))
            self.assertFalse(is_explored(url, secret, 0, "2026-11-22"))

    def test_secrets(self):
        for short in ("", "fifteen bytes!!"):
            with self.assertRaisesRegex(ValueError, f"has {len(short)} bytes, and must have at least 16$"):
                Live(secret=short)
            with self.assertRaisesRegex(ValueError, "at least 16"):
                is_explored(URL, short)
        urls = [f"http://a.example/?sid={n}" for n in range(400)]
        chosen = []
        for secret in ("fourteen bytes\u00e9", "another secret, for another crawler", None, None):
            rules = Live(one_in=4, secret=secret)
            rules.set(read(lines(drop("sid"))))
            chosen.append({url for url in urls if rules.explore(url)})
        self.assertEqual(chosen[2], chosen[3])
        self.assertEqual(len(set(map(frozenset, chosen))), 3)
        code = "from dustbuster_rules.explore import is_explored; print([n for n in range(400) if is_explored(str(n), None, 4)])"
        processes = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=Path(__file__).parents[1]).stdout for _ in "ab"]
        self.assertNotEqual(*processes)

    def test_only_changed_urls(self):
        rules = Live(one_in=1)
        rules.set(read(lines(drop("sid"))), '"v"')
        self.assertIsNone(rules.explore(FORM))
        self.assertIsNone(rules.explore("http://b.example/?sid"))
        explored = rules.explore(URL)
        empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        self.assertEqual(
            explored.report(b"", b"abc", "crawler"),
            {
                "site": "a.example",
                "found": URL,
                "canonical": FORM,
                "sha256": [empty, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
                "rules": '"v"',
                "reporter": "crawler",
            },
        )
        self.assertEqual(rules.counts.asked, 0)


class Server(BaseHTTPRequestHandler):
    """A daemon: its list, and what it was asked."""

    text, tag, asked, token = b"", '"1"', [], None

    def do_GET(self):
        self.asked.append((self.path, self.headers.get("If-None-Match")))
        if self.token and self.headers.get("Authorization") != f"Bearer {self.token}":
            self.send_error(401)
            return
        if self.headers.get("If-None-Match") == self.tag:
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", self.tag)
        self.end_headers()
        self.wfile.write(self.text)

    def log_message(self, *args):
        pass


class TestSources(unittest.TestCase):
    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path, changes, errors = os.path.join(folder, "rules.jsonl"), [], []
            self.put(path, lines(drop("other")))
            changed = threading.Event()
            rules = follow(path, every=0.01, changed=lambda version: (changes.append(version), changed.set()), failed=errors.append)
            try:
                self.assertEqual(rules.canonical(URL), URL)
                changed.clear()
                self.put(path, lines(drop("sid")))
                self.assertTrue(changed.wait(30))
                self.assertEqual((rules.canonical(URL), len(changes), changes[-1]), (FORM, 2, rules.version))
            finally:
                rules.close()
            source = File(path)
            source.newer()
            self.put(path, "nonsense")
            refresh(rules, source, errors.append)
            refresh(rules, source, errors.append)  # the same bad file is not read again
            self.assertEqual((len(errors), rules.canonical(URL)), (1, FORM))
            self.put(path, lines(drop("sid", state="likely")))
            refresh(rules, source, errors.append)  # a list without valid rules withdraws them
            self.assertEqual((len(errors), rules.canonical(URL)), (1, URL))

    def put(self, path, text):
        Path(path + ".new").write_text(text)
        os.replace(path + ".new", path)

    def test_daemon(self):
        server = HTTPServer(("127.0.0.1", 0), Server)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            self.follows(f"127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def follows(self, host):
        Server.text, Server.asked = lines(drop("other")).encode(), []
        source, rules, errors = Daemon(f"http://{host}"), Live(), []
        for _ in range(2):
            refresh(rules, source, errors.append)
        self.assertEqual(Server.asked, [("/api/v1/rules?state=valid", None), ("/api/v1/rules?state=valid", '"1"')])
        self.assertEqual((rules.version, rules.canonical(URL)), ('"1"', URL))
        Server.text, Server.tag = lines(drop("sid")).encode(), '"2"'
        refresh(rules, source, errors.append)
        self.assertEqual((rules.version, rules.canonical(URL), errors), ('"2"', FORM, []))
        Server.token = "secret"
        refresh(rules, source, errors.append)
        self.assertIn("give its token", str(errors[0]))
        self.assertIsNotNone(Daemon(f"http://:secret@{host}/list").newer())
        self.assertEqual(Server.asked[-1], ("/list", None))


class TestCommand(unittest.TestCase):
    def test_canon(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rules.jsonl")
            Path(path).write_text(lines(drop("sid")))
            command = [sys.executable, "-m", "dustbuster_rules", "canon", "--rules", path, "--steps"]
            urls = "http://a.example/?sid=1\nhttp://b.example/\r\nhttp://a.example/é#\n".encode() + b"http://b.example/\xff\n"
            done = subprocess.run(command, input=urls, capture_output=True, cwd=Path(__file__).parents[1])
            self.assertEqual((done.stderr, done.returncode), (b"", 0))
            forms = b"http://a.example/\tdrop-sid\nhttp://b.example/\t\nhttp://a.example/%C3%A9\t\nhttp://b.example/\xff\t\n"
            self.assertEqual(done.stdout, forms)
            Path(path).write_text("nonsense")
            error = io.StringIO()
            with redirect_stderr(error):
                self.assertEqual(main(["canon", "--rules", path]), 1)
            self.assertIn("line 1", error.getvalue())


if __name__ == "__main__":
    unittest.main()
