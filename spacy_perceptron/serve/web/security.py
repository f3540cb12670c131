"""What stands between the network and the application.

A page of another site can make a browser send requests here. So the host that a request names must
be this server's own, which a name that was made to point here (DNS rebinding) is not; requests that
change or ask something must come from pages of this server, and as JSON, which forms can't send.
The page itself runs no script and loads nothing that this server has not sent.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import Errors
from ..refusals import RefusedRequest

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Listening on these means on all addresses.
ANY = ("0.0.0.0", "::", "")
HTTP_PORT = 80
READ_ONLY = ("GET", "HEAD", "OPTIONS")
JSON_TYPE = "application/json"
# A body has a text, at most 6 bytes a character, and the annotation of its tokens.
BODY_BYTES, BODY_BYTES_PER_CHAR = 65_536, 256
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Guard:
    """What requests must be like.

    host (str): Where the server listens.
    port (int): Its port.
    max_body (int): The longest body, in bytes.
    """

    host: str
    port: int
    max_body: int

    def check(self, method: str, headers: Mapping[str, str]) -> None:
        """Refuse a request that was not meant for this server, or comes from another one's page.

        method (str): `GET`, `POST` and so on.
        headers (Mapping[str, str]): The headers, with names in lower case.
        """
        host = headers.get("host", "")
        if not self.is_own(host):
            raise RefusedRequest(403, Errors.SERVE_HOST.format(host=host))
        if method in READ_ONLY:
            return
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host}".lower():
            raise RefusedRequest(403, Errors.SERVE_ORIGIN.format(origin=origin))
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != JSON_TYPE:
            raise RefusedRequest(415, Errors.SERVE_CONTENT_TYPE)

    def is_own(self, host: str) -> bool:
        """RETURNS (bool): Whether a header `Host` names this server."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").lower(), parts.port or HTTP_PORT
        except ValueError:
            return False
        if parts.netloc != host or "@" in host or port != self.port:
            return False
        if name in (*LOOPBACK, self.host.lower()):
            return True
        # Of a server on all addresses, any address is one; names could be anybody's.
        return self.host in ANY and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Shield:
    """ASGI middleware: lets through what a guard accepts, adds headers, and answers for failures.

    app (ASGIApp): What it protects.
    guard (Guard): What requests must be like.
    """

    def __init__(self, app: ASGIApp, guard: Guard):
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection.

        scope (Scope): What it is about.
        receive (Receive): Gives what the client sends.
        send (Send): Takes what the client gets.
        """
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def send_safely(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                message = {**message, "headers": _with_headers(message.get("headers", ()))}
            await send(message)

        try:
            headers = _read_headers(scope["headers"])
            self._guard.check(scope["method"], headers)
            body = await self._read(headers, receive)
            if body is not None:
                await self._app(scope, _replay(body, receive), send_safely)
        except RefusedRequest as refused:
            await _answer(send_safely, refused.status, refused.body())
        except Exception as error:
            number = token_hex(4)
            where = f"{scope['method']} {scope['path']}"
            log.error("Error %s in %s", number, where, exc_info=error)
            if not has_started:
                message = Errors.SERVE_INTERNAL.format(number=number)
                await _answer(send_safely, 500, {"error": message, "field": None})

    async def _read(self, headers: Mapping[str, str], receive: Receive) -> bytes | None:
        """The body, unless it is too long; None if the client has gone."""
        limit = self._guard.max_body
        length = headers.get("content-length", "0")
        refused = RefusedRequest(413, Errors.SERVE_BODY.format(limit=limit))
        if not length.isascii() or not length.isdigit() or len(length) > 18 or int(length) > limit:
            raise refused
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > limit:
                raise refused
        return body


def _read_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as texts. One that comes twice has both values, and so none that is accepted."""
    found: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def body_limit(max_chars: int) -> int:
    """RETURNS (int): The longest body of a request, in bytes."""
    return BODY_BYTES + BODY_BYTES_PER_CHAR * max_chars


def _with_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name.decode("latin-1") not in HEADERS]
    return kept + [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already, and then whatever else comes."""
    is_read = False

    async def replay() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _answer(send: Send, status: int, content: dict[str, Any]) -> None:
    body = json.dumps(content).encode()
    headers = [
        (b"content-type", JSON_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
