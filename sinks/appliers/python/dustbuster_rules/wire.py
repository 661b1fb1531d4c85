"""Requests over HTTP, within bounds of bytes and time."""

from __future__ import annotations

import http.client
import io
import socket
import threading
import urllib.error
import urllib.request
from typing import Any, List, Tuple
from urllib.parse import urlsplit

TIMEOUT = 30.0  #: seconds, for a whole answer
_PIECE = 1 << 16  # bytes
_MOST_REASON = 1000  # bytes of a refusal


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects. A token goes to no other origin."""

    def redirect_request(self, req: Any, *rest: Any) -> Any:
        new = super().redirect_request(req, *rest)
        if new is not None and _origin(new.full_url) != _origin(req.full_url):
            new.remove_header("Authorization")
        return new


def _origin(url: str) -> Tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower()


class _Deadline:
    """Ends the connections of a request when its time is over, however slowly bytes arrive."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._lock = threading.Lock()
        self._sockets: List[socket.socket] = []
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def add(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.append(connected)
        if self.is_over:
            self._end()

    def _end(self) -> None:
        with self._lock:
            self.is_over = True
            for each in self._sockets:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # it has ended by itself

    def cancel(self) -> None:
        self._timer.cancel()


def _handlers(deadline: _Deadline) -> List[urllib.request.BaseHandler]:
    """Return handlers whose connections the deadline ends."""

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            deadline.add(self.sock)

    class Secure(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            deadline.add(self.sock)

    class OpenPlain(urllib.request.HTTPHandler):
        def http_open(self, req: Any) -> Any:
            return self.do_open(Plain, req)

    class OpenSecure(urllib.request.HTTPSHandler):
        def https_open(self, req: Any) -> Any:
            return self.do_open(Secure, req)

    return [OpenPlain(), OpenSecure(), _Redirects()]


def ask(request: urllib.request.Request, most: int, wanted: int = 200) -> Tuple[bytes, str]:
    """Return the body of an answer, at most that many bytes of it, and its ETag. Raise HTTPError
    for a status that is no success, with the beginning of the body, and OSError for an answer that
    has another status than wanted, or is cut short or late."""
    deadline = _Deadline(TIMEOUT)
    try:
        with urllib.request.build_opener(*_handlers(deadline)).open(request, timeout=TIMEOUT) as answer:
            if answer.status != wanted:
                raise OSError(f"the answer has status {answer.status} instead of {wanted}")
            body = _body(answer, most)
            tag = answer.headers.get("ETag", "")
    except urllib.error.HTTPError as e:
        with e:
            raise urllib.error.HTTPError(e.url, e.code, e.msg, e.hdrs, io.BytesIO(_reason(e))) from None
    except (OSError, http.client.HTTPException) as e:
        why = f"no whole answer in {TIMEOUT:g} seconds" if deadline.is_over else str(e) or type(e).__name__
        raise OSError(f"{request.full_url}: {why}") from e
    finally:
        deadline.cancel()
    if deadline.is_over:
        raise OSError(f"{request.full_url}: no whole answer in {TIMEOUT:g} seconds")
    return body, tag


def _reason(answer: Any) -> bytes:
    """Return the beginning of the body of a refusal, as far as it arrives."""
    body = b""
    try:
        while len(body) < _MOST_REASON:
            piece = answer.read1(_MOST_REASON - len(body))
            if not piece:
                break
            body += piece
    except (OSError, http.client.HTTPException):
        pass
    return body


def _body(answer: Any, most: int) -> bytes:
    body = bytearray()
    while len(body) < most:
        piece = answer.read(min(_PIECE, most - len(body)))
        if not piece:
            if answer.length:  # of the bytes that Content-Length names
                raise OSError(f"the answer is cut short: {answer.length} bytes are missing")
            break
        body += piece
    return bytes(body)
