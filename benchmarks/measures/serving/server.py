"""A server in a child process, and clients that ask it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

LOOPBACK = "127.0.0.1"
PATIENCE = 120.0


@dataclass(frozen=True)
class Request:
    """A request to the API.

    path (str): the address.
    content (dict[str, Any]): what it holds.
    """

    path: str
    content: dict[str, Any]

    @property
    def key(self) -> str:
        """What stands for it."""
        return json.dumps([self.path, self.content])


class Client:
    """One connection to a server on this machine.

    port (int): its port.
    """

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection(LOOPBACK, port, timeout=PATIENCE)

    def ask(self, path: str, content: dict[str, Any] | None = None) -> Any:
        """Send a request, with content as JSON; an error unless all is well."""
        headers = {"content-type": "application/json"}
        if content is None:
            self._connection.request("GET", path)
        else:
            self._connection.request("POST", path, json.dumps(content).encode(), headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise HTTPException(f"{path}: {response.status} {body[:200]!r}")
        return json.loads(body)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


@contextmanager
def running(model: Path, work: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a server until the block ends.

    model (Path): directory of a pipeline.
    work (Path): directory for corrections.
    YIELDS (tuple): its process, and its port.
    """
    command = [sys.executable, "-u", "-m", "spacy", "perceptron", "serve", str(model)]
    options = ["--port", "0", "--host", LOOPBACK, "--output", str(work / "corrected")]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = None
        while not found:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError("the server has not started")
            found = re.search(rf"http://{LOOPBACK}:(\d+)/", line)
        port = int(found[1])
        _wait(port)
        yield process, port
    finally:
        process.kill()
        process.wait()


def _wait(port: int) -> None:
    client = Client(port)
    deadline = time.monotonic() + PATIENCE
    while (status := client.ask("/pipelines")["pipelines"][0]["status"]) == "loading":
        if time.monotonic() > deadline:
            raise RuntimeError("the pipeline takes too long to load")
        time.sleep(0.05)
    client.close()
    if status != "ready":
        raise RuntimeError("the pipeline can't be loaded")


def resident(process: int) -> float | None:
    """Resident memory of a process in MiB; None where the system does not say."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) / 1024 if found else None
