"""A playground in a process of its own."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60


class Served:
    """A server that runs.

    process (subprocess.Popen): Its process.
    log (Path): What it prints.
    """

    def __init__(self, process: subprocess.Popen, log: Path):
        self.process = process
        self.log = log
        self.address = self._find_address()

    def _find_address(self) -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"http://\S+", self.printed())
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError(self.printed())

    def printed(self) -> str:
        """RETURNS (str): What it has printed so far."""
        return self.log.read_text(encoding="utf-8")

    def get(self, path: str) -> Any:
        """RETURNS (Any): The JSON at an address."""
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as response:
            return json.load(response)

    def post(self, path: str, **content: Any) -> Any:
        """RETURNS (Any): The JSON that a request gets."""
        request = urllib.request.Request(
            self.address + path,
            json.dumps(content).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)

    def wait(self) -> dict[str, Any]:
        """RETURNS (dict): What there is of the first pipeline, once it is loaded."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            (pipeline,) = self.get("pipelines")["pipelines"]
            if pipeline["status"] != "loading":
                return pipeline
            time.sleep(0.05)
        raise AssertionError("still loading")


@contextmanager
def serving(folder: Path, *arguments: object) -> Iterator[Served]:
    """Run the command `serve` on a free port.

    folder (Path): Where to put what it prints.
    *arguments (object): The arguments.
    YIELDS (Served): The server.
    """
    command = [sys.executable, "-m", "spacy", "perceptron", "serve", "--port", "0"]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*command, *map(str, arguments)],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        try:
            yield Served(process, log)
        finally:
            process.kill()
            process.wait()
