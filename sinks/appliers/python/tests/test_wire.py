"""Answers of hostile servers."""

import itertools
import socket
import threading
import time
import unittest
from unittest import mock

from dustbuster_rules import RefusedError, follow, wire
from dustbuster_rules.reports import Reporter
from dustbuster_rules.sources import Daemon

from .records import drop, lines

LIST = lines(drop("sid")).encode() if isinstance(lines(drop("sid")), str) else lines(drop("sid"))


class Server:
    """Answers each connection with the pieces of a function, which gets the request."""

    def __init__(self, answer):
        self._answer, self.requests = answer, []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                request = connection.recv(65536).decode("latin-1")
                self.requests.append(request)
                try:
                    for piece in self._answer(request):
                        connection.sendall(piece)
                except OSError:
                    pass

    def close(self):
        self._socket.close()


def trickle(head, text):
    yield head
    for byte in text:
        time.sleep(0.05)
        yield bytes([byte])


class TestWire(unittest.TestCase):
    def serve(self, answer):
        server = Server(answer)
        self.addCleanup(server.close)
        return server

    def refuses(self, answer, why):
        server = self.serve(answer)
        with self.assertRaisesRegex(OSError, why):
            Daemon(f"http://{server.address}").newer()

    def test_a_list_that_is_cut_short(self):
        self.refuses(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (2 * len(LIST)) + LIST], "cut short")

    def test_a_chunk_that_is_cut_short(self):
        self.refuses(lambda _: [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (2 * len(LIST)) + LIST], "Incomplete")

    def test_an_answer_without_a_list(self):
        for status in (201, 203, 204, 205):
            with self.subTest(status=status):
                self.refuses(lambda _, status=status: [b"HTTP/1.1 %d Fine\r\nContent-Length: 0\r\n\r\n" % status], f"status {status}")

    def test_no_answer_of_http(self):
        self.refuses(lambda _: [b"nonsense\r\n\r\n"], "nonsense")

    def test_a_slow_body(self):
        with mock.patch.object(wire, "TIMEOUT", 0.3):
            self.refuses(lambda _: trickle(b"HTTP/1.1 200 OK\r\n\r\n", LIST * 9), "no whole answer in 0.3 seconds")

    def test_a_slow_head(self):
        with mock.patch.object(wire, "TIMEOUT", 0.3):
            self.refuses(lambda _: trickle(b"HTTP/1.1 200 OK\r\n", b"X: " + b"x" * 200), "no whole answer in 0.3 seconds")

    def test_a_slow_refusal(self):
        server = self.serve(lambda _: trickle(b"HTTP/1.1 429 Too Many\r\n\r\n", b"why" * 300))
        report = {"site": "a.example", "found": "http://a.example/", "canonical": "http://a.example/"}
        start = time.monotonic()
        with mock.patch.object(wire, "TIMEOUT", 0.5), self.assertRaisesRegex(OSError, "429 Too Many: why"):
            Reporter(f"http://{server.address}").send(report)
        self.assertLess(time.monotonic() - start, 20)

    def test_an_endless_refusal(self):
        server = self.serve(lambda _: itertools.chain([b"HTTP/1.1 429 Too Many\r\n\r\n"], itertools.repeat(b"a" * 65536)))
        with self.assertRaises(OSError) as raised:
            Reporter(f"http://{server.address}").send({"site": "a.example"})
        self.assertTrue(str(raised.exception).endswith(": " + "a" * 1000), str(raised.exception)[:99])

    def test_a_slow_handshake(self):
        server = self.serve(lambda _: trickle(b"\x16\x03\x03\x40\x00", b"\x02" * 400))
        start = time.monotonic()
        with mock.patch.object(wire, "TIMEOUT", 0.5), self.assertRaisesRegex(OSError, "no whole answer in 0.5 seconds"):
            Daemon(f"https://{server.address}").newer()
        self.assertLess(time.monotonic() - start, 15)

    def test_a_list_without_end(self):
        server = self.serve(lambda _: itertools.chain([b"HTTP/1.1 200 OK\r\n\r\n"], itertools.repeat(b" " * 65536)))
        with self.assertRaisesRegex(RefusedError, "more than 67108864 bytes"):
            Daemon(f"http://{server.address}").newer()

    def test_a_token_goes_to_no_other_host(self):
        body = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(LIST) + LIST
        other = self.serve(lambda _: [body])
        moved = self.serve(lambda _: [b"HTTP/1.1 302 Found\r\nLocation: http://%s/x\r\nContent-Length: 0\r\n\r\n" % other.address.encode()])
        self.assertEqual(len(Daemon(f"http://:secret@{moved.address}").newer().rules), 1)
        self.assertIn("Authorization: Bearer secret", moved.requests[0])
        self.assertNotIn("secret", other.requests[0])

    def test_a_token_stays_at_its_host(self):
        body = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(LIST) + LIST
        moved = self.serve(lambda request: [body if "/x" in request.split()[1] else b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"])
        self.assertEqual(len(Daemon(f"http://:secret@{moved.address}").newer().rules), 1)
        self.assertIn("Authorization: Bearer secret", moved.requests[1])

    def test_a_thread_that_follows_goes_on(self):
        answers = [LIST, None]
        server = self.serve(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(LIST) + LIST] if answers.pop(0) else [b"nonsense\r\n\r\n"])
        failed = threading.Event()
        rules = follow(f"http://{server.address}", every=0.01, failed=lambda e: failed.set())
        self.addCleanup(rules.close)
        self.assertTrue(failed.wait(10))
        self.assertEqual(rules.form("http://a.example/?sid=1"), "http://a.example/")
