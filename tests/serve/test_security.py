"""What stands between the network and the application."""

import asyncio
import json
from typing import Any

import pytest

from spacy_perceptron.serve.refusals import RefusedRequest
from spacy_perceptron.serve.web.security import Guard, Shield, body_limit

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
OWN = {"host": "127.0.0.1:8000", "content-type": "application/json"}
LIMIT = 100


def own_names(host: str, *names: str, port: int = 8000) -> list[bool]:
    guard = Guard(host, port, LIMIT)
    return [guard.is_own(name) for name in names]


def test_names_of_this_machine():
    assert all(own_names("127.0.0.1", "127.0.0.1:8000", "localhost:8000", "[::1]:8000"))
    assert all(own_names("127.0.0.1", "LocalHost:8000"))
    assert all(own_names("127.0.0.1", "localhost", "127.0.0.1:80", "[::1]", port=80))
    assert all(own_names("my.box", "my.box:8000", "MY.BOX:8000", "localhost:8000"))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "localhost",
        "127.0.0.1",
        "127.0.0.1:8001",
        "127.0.0.1:",
        "127.0.0.1:8000:8000",
        "127.0.0.1:99999",
        "evil.example:8000",
        "localhost.evil.example:8000",
        "evil.example@localhost:8000",
        "localhost:8000@evil.example",
        "localhost:8000/",
        "localhost:8000, evil.example",
        "127.0.0.2:8000",
        "0.0.0.0:8000",
        "[::1:8000",
        "10.0.0.5:8000",
        "\u0661:8000",
    ],
)
def test_names_of_others(name: str):
    assert own_names("127.0.0.1", name) == [False]


def test_a_server_on_all_addresses_has_addresses_but_no_other_names():
    for host in ("0.0.0.0", "::"):
        assert own_names(host, "10.0.0.5:8000", "[fe80::1]:8000", "localhost:8000") == [True] * 3
        assert own_names(host, "evil.example:8000", "10.0.0.5:8001") == [False, False]


def status_of(method: str, **headers: str | None) -> int:
    given = {**OWN, **{name.replace("_", "-"): value for name, value in headers.items()}}
    kept = {name: value for name, value in given.items() if value is not None}
    try:
        Guard("127.0.0.1", 8000, LIMIT).check(method, kept)
    except RefusedRequest as refused:
        return refused.status
    return 200


def test_where_requests_come_from():
    assert status_of("POST") == 200
    assert status_of("POST", origin="http://127.0.0.1:8000") == 200
    assert status_of("POST", host="localhost:8000", origin="http://localhost:8000") == 200
    for origin in (
        "null",
        "",
        "http://evil.example",
        "https://127.0.0.1:8000",
        "http://127.0.0.1",
        "http://127.0.0.1:8001",
        "http://localhost:8000",
        "http://127.0.0.1:8000.evil.example",
    ):
        assert status_of("POST", origin=origin) == 403, origin
        assert status_of("DELETE", origin=origin) == 403, origin
    # Reading is no danger: a page of another site does not get to see the answer.
    assert status_of("GET", origin="http://evil.example", content_type=None) == 200
    assert status_of("GET", host="evil.example:8000") == 403
    assert status_of("POST", host=None) == 403


def test_what_requests_hold():
    for right in ("application/json", "Application/JSON; charset=utf-8"):
        assert status_of("POST", content_type=right) == 200
    for wrong in (None, "", "text/plain", "multipart/form-data", "application/jsonx"):
        assert status_of("POST", content_type=wrong) == 415
    # What a form could send, with JSON in the value.
    assert status_of("POST", content_type="text/plain; application/json") == 415


def test_the_longest_body_has_room_for_the_longest_text():
    """Six bytes for each character, and heads with labels for as many tokens."""
    n = 10_000
    annotation = {"head": [n] * n, "dep": ["x" * 100] * n}
    body = json.dumps({"text": "\u20ac" * n, "component": "parser", "annotation": annotation})
    assert len(body.encode()) < body_limit(n) < 3_000_000


# --- The middleware ---------------------------------------------------------------------------


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers with what it got."""
    message = await receive()
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"public")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": message["body"]})


async def fail(scope: Any, receive: Any, send: Any) -> None:
    raise RuntimeError("secret")


async def fail_late(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError("secret")


def send_request(
    *parts: bytes, app: Any = echo, headers: list[tuple[str, str]] | None = None, gone: bool = False
) -> list[dict[str, Any]]:
    """RETURNS (list[dict[str, Any]]): What the server sends."""
    given = [*OWN.items()] if headers is None else headers
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(a.encode("latin-1"), b.encode("latin-1")) for a, b in given],
    }
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if gone:
        waiting.append({"type": "http.disconnect"})
    else:
        waiting[-1]["more_body"] = False
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(Shield(app, Guard("127.0.0.1", 8000, LIMIT))(scope, receive, send))
    return sent


def test_bodies_come_in_parts():
    start, body = send_request(b"ab", b"", b"cd")
    assert (start["status"], body["body"]) == (200, b"abcd")


def test_every_response_has_the_headers():
    long = [*OWN.items(), ("content-length", "101")]
    cases: list[tuple[int, list[dict[str, Any]]]] = [
        (200, send_request(b"")),
        (403, send_request(b"", headers=[("host", "evil.example")])),
        (413, send_request(b"", headers=long)),
        (415, send_request(b"", headers=[("host", "127.0.0.1:8000")])),
        (500, send_request(b"", app=fail)),
    ]
    for status, (start, *_) in cases:
        assert start["status"] == status
        found = [(a.decode(), b.decode()) for a, b in start["headers"]]
        assert len(dict(found)) == len(found)
        expected = {
            "content-security-policy": CSP,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
        }
        assert {name: dict(found)[name] for name in expected} == expected


def test_failures_say_nothing_of_what_failed(caplog: pytest.LogCaptureFixture):
    start, body = send_request(b"", app=fail)
    assert start["status"] == 500
    assert b"secret" not in body["body"]
    assert "secret" in caplog.text
    # Once an answer has begun, there is nothing more to say.
    assert [one["type"] for one in send_request(b"", app=fail_late)] == ["http.response.start"]


@pytest.mark.parametrize("length", ["101", "-1", "1e9", "x", "9" * 30, "\u00b2", "5, 5"])
def test_bodies_that_say_they_are_too_long(length: str):
    start, _ = send_request(b"", headers=[*OWN.items(), ("content-length", length)])
    assert start["status"] == 413


def test_bodies_that_turn_out_to_be_too_long():
    start, body = send_request(b"x" * 60, b"x" * 41)
    assert start["status"] == 413
    assert "more than 100 bytes" in json.loads(body["body"])["error"]
    assert send_request(b"x" * 60, b"x" * 40)[0]["status"] == 200


def test_clients_that_go_away():
    assert send_request(b"ab", gone=True) == []


def test_headers_that_come_twice():
    for name, value in (("host", "127.0.0.1:8000"), ("host", "evil.example:8000")):
        (start, _) = send_request(b"", headers=[*OWN.items(), (name, value)])
        assert start["status"] == 403


def test_websockets_are_closed():
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    shield = Shield(fail, Guard("127.0.0.1", 8000, LIMIT))
    asyncio.run(shield({"type": "websocket", "headers": []}, send, send))
    assert [one["type"] for one in sent] == ["websocket.close"]
