"""How long requests about one sentence take, one after the other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from .server import Client, Request

# 30 words and a full stop.
SENTENCE = (
    "The old woman who lives near the station told her neighbour that the train to London would "
    "leave early because the heavy snow had closed the line to the north."
)


def measure_latency(port: int, n_requests: int) -> list[dict[str, Any]]:
    """How long requests about the sentence of 30 words take, one after the other.

    port (int): the server's port.
    n_requests (int): how many of each kind.
    RETURNS (list[dict]): `label`, `n`, and milliseconds: `median`, `p95` and `worst` as the client
        sees them, and `server`, the median that the server says, if it does.
    """
    client = Client(port)
    components = client.ask("/pipelines")["pipelines"][0]["components"]
    names = [one["name"] for one in components]
    rows = [_time(client, "annotate", Request("/annotate", {"text": SENTENCE}), n_requests)]
    for name in names:
        about = {"text": SENTENCE, "component": name}
        nbest, explain = (
            Request("/nbest", {**about, "k": 5}),
            Request("/explain", {**about, "token": 4}),
        )
        rows.append(_time(client, f"5 best of {name}", nbest, n_requests))
        rows.append(_time(client, f"explain {name}", explain, n_requests))
    for name in names:
        rows.append(_time_corrections(client, name, max(n_requests // 10, 2)))
    client.close()
    return rows


def _time(client: Client, label: str, request: Request, n: int) -> dict[str, Any]:
    seconds, own = [], []
    client.ask(request.path, request.content)
    for _ in range(n):
        start = time.perf_counter()
        found = client.ask(request.path, request.content)
        seconds.append(time.perf_counter() - start)
        own.append(found.get("ms"))
    return summarize(label, seconds, own)


def _time_corrections(client: Client, name: str, n: int) -> dict[str, Any]:
    """Correct to the second answer, and undo that, again and again."""
    about = {"text": SENTENCE, "component": name}
    candidates = client.ask("/nbest", {**about, "k": 2})["candidates"]
    right = {**about, "annotation": candidates[-1]["annotation"]}
    seconds, own = [], []
    for _ in range(n):
        start = time.perf_counter()
        found = client.ask("/correct", right)
        seconds.append(time.perf_counter() - start)
        own.append(found["ms"])
        client.ask("/undo", {})
    return summarize(f"correct {name}", seconds, own)


def summarize(label: str, seconds: Sequence[float], own: Sequence[float | None]) -> dict[str, Any]:
    milliseconds = 1e3 * np.array(seconds)
    known = [value for value in own if value is not None]
    return {
        "label": label,
        "n": len(seconds),
        "median": float(np.median(milliseconds)),
        "p95": float(np.percentile(milliseconds, 95)),
        "worst": float(milliseconds.max()),
        "server": float(np.median(known)) if known else None,
    }
