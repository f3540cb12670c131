"""Many clients at once.

Answers are compared with those to the same requests one by one: threads share the components, and
must not see each other.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

import numpy as np

from .latency import SENTENCE, summarize
from .server import Client, Request, resident

# How often the server's memory is read, in seconds.
SAMPLING = 0.5
TEXTS = (
    SENTENCE,
    "She saw the man with the telescope.",
    "Please close the window before the cold gets in.",
    "Ada Lovelace lives in London. Her brother works for a bank in Paris, and often calls her.",
    "Time flies like an arrow; fruit flies like a banana.",
    "He will book the table before the show starts, and she can pay later.",
    "",
    "What did the guards find on the train? A watch, two tickets and <b>ten</b> dollars.",
)


@dataclass(frozen=True)
class PlaygroundScale:
    """How much to measure.

    n_requests (int): requests of each kind for latency.
    n_clients (int): clients at once.
    seconds (float): how long they go on.
    """

    n_requests: int = 200
    n_clients: int = 16
    seconds: float = 60.0


QUICK = PlaygroundScale(n_requests=20, seconds=5.0)


@dataclass
class Load:
    """What clients have met.

    seconds (list[float]): how long each answer took.
    errors (list[str]): what went wrong.
    n_different (int): answers that differ from those to single requests.
    """

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    n_different: int = 0


def measure_load(
    process: subprocess.Popen[str], port: int, scale: PlaygroundScale
) -> dict[str, Any]:
    """Let many clients ask at once.

    process (subprocess.Popen): the server.
    port (int): its port.
    scale (PlaygroundScale): how many clients, and for how long.
    RETURNS (dict): what they met, and the memory of the server.
    """
    requests = make_requests(port)
    client = Client(port)
    expected = {one.key: answer(client, one) for one in requests}
    client.close()
    memory = [resident(process.pid)]
    start = time.monotonic()
    end = start + scale.seconds
    loads = [Load() for _ in range(scale.n_clients)]
    threads = [
        threading.Thread(target=_go_on, args=(port, requests, expected, number, end, load))
        for number, load in enumerate(loads)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(SAMPLING)
        memory.append(resident(process.pid))
    seconds = [value for load in loads for value in load.seconds]
    errors = [text for load in loads for text in load.errors]
    elapsed = time.monotonic() - start
    return {
        "label": f"{scale.n_clients} clients",
        "seconds": elapsed,
        "n": len(seconds),
        "per_second": len(seconds) / elapsed,
        "n_errors": len(errors),
        "errors": errors[:10],
        "n_different": sum(load.n_different for load in loads),
        **{name: summarize("", seconds, [])[name] for name in ("median", "p95", "worst")},
        "memory": {
            "start": memory[0],
            # When every thread of the server has worked: after a quarter of the time.
            "warm": memory[len(memory) // 4],
            "end": memory[-1],
            "peak": max(memory),
            "samples": memory,
        },
    }


def make_requests(port: int) -> list[Request]:
    """Texts to annotate, and questions to every component about each."""
    client = Client(port)
    names = [one["name"] for one in client.ask("/pipelines")["pipelines"][0]["components"]]
    client.close()
    requests = []
    for text in TEXTS:
        requests.append(Request("/annotate", {"text": text}))
        for name in names:
            requests.append(Request("/nbest", {"text": text, "component": name, "k": 3}))
            if text:
                about = {"text": text, "component": name, "token": 0}
                requests.append(Request("/explain", about))
    return requests


def answer(client: Client, request: Request) -> Any:
    """The answer to a request, without the time it took."""
    found = client.ask(request.path, request.content)
    found.pop("ms", None)
    return found


def _go_on(
    port: int,
    requests: Sequence[Request],
    expected: dict[str, Any],
    number: int,
    end: float,
    load: Load,
) -> None:
    """One client, until the time is over. Each has an order of its own."""
    order = np.random.default_rng(number)
    client = Client(port)
    while time.monotonic() < end:
        request = requests[int(order.integers(len(requests)))]
        start = time.perf_counter()
        try:
            found = answer(client, request)
        except (OSError, HTTPException, ValueError) as error:
            load.errors.append(f"{type(error).__name__}: {error}")
            client.close()
            client = Client(port)
            continue
        load.seconds.append(time.perf_counter() - start)
        load.n_different += found != expected[request.key]
    client.close()
