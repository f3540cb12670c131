"""A server with small pipelines, and a browser that notices what a page must not do."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .small_pipelines import COMPONENTS, HOSTILE, train, write_corpus

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
SEEN = "SPACY_PERCEPTRON_SCREENSHOTS"


def find_browser() -> str | None:
    """RETURNS (Optional[str]): A browser of this machine; `CHROMIUM` names it."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser: set CHROMIUM to one, or install one of {', '.join(BROWSERS)}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@dataclass(frozen=True)
class Server:
    """A running server.

    address (str): Where it is.
    output (Path): Where corrections go.
    names (list[str]): Its pipelines, in order.
    """

    address: str
    output: Path
    names: list[str]


@pytest.fixture(scope="package")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an English pipeline, a worse one, one that is written from right to left, and
    one with a tag that is markup."""
    pytest.importorskip("fastapi", reason="needs the extra `serve`")
    folder = tmp_path_factory.mktemp("serve")
    every = [*COMPONENTS]
    models = [
        train(folder / "good", lang="en", names=every, limit=200, n_epochs=3),
        train(folder / "worse", lang="en", names=["tagger", "parser"], limit=20, n_epochs=1),
        train(folder / "leftward", lang="he", names=["tagger", "parser"], limit=60, n_epochs=2),
        train(folder / "hostile", lang="en", names=["tagger"], limit=5, n_epochs=1, tag=HOSTILE),
    ]
    corpus = write_corpus(folder / "dev.spacy", 30)
    output = folder / "output"
    command = [sys.executable, "-u", "-m", "spacy", "perceptron", "serve", *map(str, models)]
    command += ["--corpus", str(corpus), "--output", str(output), "--port", "0"]
    log = (folder / "log.txt").open("w+", encoding="utf-8")
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = wait_for(lambda: ADDRESS.search((folder / "log.txt").read_text("utf-8")), process)
        yield Server(address.group(), output, [model.name for model in models])
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def wait_for(find: Callable[[], Any], process: subprocess.Popen, seconds: float = 60) -> Any:
    """RETURNS (Any): What was found, as soon as there is something."""
    import time

    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        found = find()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


@dataclass
class Watch:
    """What a browser did with the page, besides showing it."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def follow(self, page: Any) -> None:
        """Follow a page."""

        def hear(message: Any) -> None:
            # Refused requests are logged by the browser, whatever the page does about them.
            if message.type in ("error", "warning") and "Failed to load" not in message.text:
                self.complaints.append(message.text)

        def refuse(dialog: Any) -> None:
            self.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("console", hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", refuse)
        page.on("request", lambda request: self.requests.append(request.url))

    def check(self, address: str) -> None:
        """Nothing went wrong, and nothing left the machine."""
        assert self.complaints == []
        assert self.dialogs == []
        foreign = [url for url in self.requests if not url.startswith((f"{address}/", "blob:"))]
        assert [url for url in foreign if url != "data:,"] == []


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def visit(browser: Any, server: Server, watch: Watch) -> Iterator[Callable[..., Any]]:
    """Opens the page in a browser of its own; what it did is checked in the end."""
    contexts = []

    def visit(text: str | None = None, *, pipeline: str = "good", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1360, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(5_000)
        page = context.new_page()
        watch.follow(page)
        page.goto(server.address)
        page.locator("#pick select").select_option(index=server.names.index(pipeline))
        if text is not None:
            write(page, text)
        return page

    yield visit
    for context in contexts:
        context.close()
    watch.check(server.address)


def write(page: Any, text: str) -> None:
    """Write a text, and wait until the page shows what the server says of it."""
    page.fill("#text", text)
    page.locator("#sentences:not(.stale) .word").first.wait_for()


@pytest.fixture
def take_picture(tmp_path: Path) -> Callable[[Any, str], Path]:
    """Saves a picture of a page, to the folder that an environment variable names."""
    folder = Path(os.environ.get(SEEN) or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def take(page: Any, name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        return path

    return take
