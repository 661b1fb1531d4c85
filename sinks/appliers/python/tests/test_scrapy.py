"""Crawls of a made-up site by Scrapy."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

try:
    import scrapy
except ImportError:
    scrapy = None

from .records import drop, lines

PAGES = 10


class Site(BaseHTTPRequestHandler):
    """Ten pages under five sessions each, of which some redirect to a session; a parameter
    that matters; and the daemon that takes reports."""

    asked, reports = [], []

    def do_GET(self):
        self.asked.append(self.path)
        path, _, query = self.path.partition("?")
        if path == "/":
            urls = [f"/page{n}?sid={s}" for n in range(PAGES) for s in range(5)]
            urls += [f"/view?lang={lang}" for lang in "abcdefgh"] + ["/session", "/missing?sid=1"]
            self.answer(200, "".join(f'<a href="{url}">x</a>' for url in urls))
        elif path == "/session" and not query:  # wants a session, as many servers do
            self.answer(302, "", "/session?sid=9")
        elif path == "/missing":
            self.answer(404, "none")
        else:
            lang = query if query.startswith("lang") else ""
            self.answer(200, f"<p>the text of {path} {lang}</p>")

    def do_POST(self):
        report = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.reports.append((self.path, report))
        self.answer(202, "")

    def answer(self, status, body, location=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # of 5 places, as is the default, a busy system resets connections


@unittest.skipIf(scrapy is None, "scrapy is not installed")
class TestScrapy(unittest.TestCase):
    def setUp(self):
        Site.asked, Site.reports = [], []
        self.server = Server(("127.0.0.1", 0), Site)
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def crawl(self, *records, options=()):
        """Return the URLs of the pages, the digests of the pages, and the statistics."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-W", "error", "-m", "tests.crawl", "--start", self.origin + "/", *options]
            if records:
                path = os.path.join(folder, "rules.jsonl")
                Path(path).write_text(lines(*records))
                command += ["--rules", path]
            done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1])
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        *pages, stats = done.stdout.splitlines()
        rows = [page.split("\t") for page in pages]
        return [row[0][len(self.origin) :] for row in rows], {row[2] for row in rows}, json.loads(stats)

    def test_each_page_is_fetched_once(self):
        site = f"127.0.0.1:{self.server.server_port}"
        urls, pages, _ = self.crawl()
        self.assertEqual((len(urls), len(pages)), (1 + 5 * PAGES + 8 + 1, 1 + PAGES + 8 + 1))
        urls, with_rules, stats = self.crawl(drop("sid", site))
        self.assertEqual(with_rules, pages)  # the page that redirects to a session, too
        self.assertEqual(len(urls), len(pages))
        self.assertEqual(stats["dustbuster/changed"], 5 * PAGES + 2)
        self.assertEqual(stats["dustbuster/by_rule"], {"drop-sid": 5 * PAGES + 2})
        self.assertTrue(all("sid=" in url for url in urls if "page" in url), "a URL is not fetched as found")

    def test_exploration_reports_a_wrong_rule(self):
        site = f"127.0.0.1:{self.server.server_port}"
        rules = [drop("sid", site), drop("lang", site, 2)]
        _, pages, _ = self.crawl(*rules)
        self.assertEqual(len(pages), 1 + PAGES + 1 + 1)  # seven languages are lost
        self.assertEqual(Site.reports, [])
        urls, pages, stats = self.crawl(*rules, options=["--explore", "1", "--report", self.origin])
        self.assertEqual(len(pages), 1 + PAGES + 8 + 1)
        self.assertEqual((stats["dustbuster/explored/different"], stats["dustbuster/explored/alike"]), (8, 5 * PAGES))
        self.assertEqual(stats["dustbuster/explored/reported"], len(Site.reports))
        wrong = [r for _, r in Site.reports if r["sha256"][0] != r["sha256"][1]]
        self.assertEqual({r["found"] for r in wrong}, {f"{self.origin}/view?lang={lang}" for lang in "abcdefgh"})
        self.assertEqual({(r["canonical"], r["site"], r["reporter"]) for r in wrong}, {(self.origin + "/view", site, "scrapybot")})
        self.assertEqual({path for path, _ in Site.reports}, {"/api/v1/report"})

    def test_rules_without_a_site(self):
        urls, pages, _ = self.crawl(drop("sid", ""))  # the crawl names its host
        self.assertEqual((len(urls), len(pages)), (1 + PAGES + 8 + 1, 1 + PAGES + 8 + 1))
        for host in ("", "b.example"):
            urls, _, stats = self.crawl(drop("sid", ""), options=["--set", f"DUSTBUSTER_HOST={host}", "--set", "LOG_LEVEL=ERROR"])
            self.assertEqual((len(urls), stats["dustbuster/changed"]), (1 + 5 * PAGES + 8 + 1, 0))

    def test_a_daemon_that_is_away(self):
        site = f"127.0.0.1:{self.server.server_port}"
        quiet = ["--explore", "1", "--report", "http://127.0.0.1:1", "--set", "LOG_LEVEL=ERROR"]
        urls, pages, stats = self.crawl(drop("sid", site), options=quiet)
        self.assertEqual(stats["dustbuster/explored/failed"], 5 * PAGES)
        self.assertEqual(len(pages), 1 + PAGES + 8 + 1)


if __name__ == "__main__":
    unittest.main()
