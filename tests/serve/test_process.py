"""The server as a process: signals, kills, restarts, and what is left on the disk."""

import os
import signal
import socket
import threading
from http.client import HTTPException
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_perceptron.serve.web.assets import MEDIA_TYPES, Assets
from spacy_perceptron.serve.web.server import is_loopback, listen, page_address

from .served import Served, serving
from .small_pipeline import TEXT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")


def correct(server: Served, component: str, text: str = TEXT) -> list[object]:
    """Teach a component the second answer."""
    answers = server.post("nbest", text=text, component=component, k=2)
    right = answers["candidates"][1]["annotation"]
    found = server.post("correct", text=text, component=component, annotation=right)
    assert found["learned"]
    return right


def read_tags(folder: Path) -> list[list[str]]:
    vocab = spacy.blank("en").vocab
    docs = DocBin().from_disk(folder / "corrections.spacy").get_docs(vocab)
    return [[token.tag_ for token in doc] for doc in docs]


def test_corrections_survive_a_kill(model: Path, tmp_path: Path):
    out = tmp_path / "out"
    rights = []
    for n, text in enumerate((TEXT, "Time flies.", "He left."), start=1):
        with serving(tmp_path, model, "--output", out) as server:
            assert server.wait()["n_corrections"] == n - 1
            rights.append(correct(server, "tagger", text)["tag"])
            # The answer is there; nothing may be lost from here on.
            server.process.send_signal(signal.SIGKILL)
            assert server.process.wait() == -signal.SIGKILL
        assert read_tags(out) == rights
    with serving(tmp_path, model, "--output", out) as server:
        told = server.wait()
        assert (told["n_corrections"], told["can_undo"]) == (3, False)


def test_kills_at_any_moment(model: Path, tmp_path: Path):
    """What was confirmed is there, and at most one more."""
    out = tmp_path / "out"
    confirmed = 0
    for delay in (0.0, 0.05, 0.15):
        with serving(tmp_path, model, "--output", out) as server:
            start = server.wait()["n_corrections"]
            assert confirmed <= start <= confirmed + 1
            confirmed = start
            killer = threading.Timer(delay, server.process.kill)
            killer.start()
            try:
                while True:
                    correct(server, "tagger", f"Time flies {confirmed}.")
                    confirmed += 1
            except (OSError, HTTPException):
                killer.join()
    with serving(tmp_path, model, "--output", out) as server:
        assert confirmed <= server.wait()["n_corrections"] <= confirmed + 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it(model: Path, tmp_path: Path, number: int):
    with serving(tmp_path, model, "--output", tmp_path / "out") as server:
        server.wait()
        server.process.send_signal(number)
        code = server.process.wait(20)
        if number == signal.SIGINT:
            assert code == 0
            assert "The playground has ended" in server.printed()
        assert "Traceback" not in server.printed()


def test_ctrl_c_while_it_loads(model: Path, tmp_path: Path):
    with serving(tmp_path, model, "--output", tmp_path / "out") as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        assert "Traceback" not in server.printed()


def test_two_servers_with_one_folder(model: Path, tmp_path: Path):
    out = tmp_path / "out"
    with serving(tmp_path, model, "--output", out) as server:
        server.wait()
        correct(server, "tagger")
        (tmp_path / "other").mkdir()
        with serving(tmp_path / "other", model, "--output", out) as other:
            told = other.wait()
            assert told["status"] == "failed"
            assert "Another process collects corrections" in told["error"]


# --- Sockets and assets -----------------------------------------------------------------------


def test_a_port_that_is_taken():
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    assert port > 0
    with pytest.raises(ValueError, match=f"Port {port} of 127.0.0.1 is taken"):
        listen("127.0.0.1", port)
    listener.close()
    listen("127.0.0.1", port).close()


def test_addresses_that_are_none():
    with pytest.raises(ValueError, match=r"Can't listen on no\.such\.host\.invalid, port 80"):
        listen("no.such.host.invalid", 80)
    with pytest.raises(ValueError, match=r"Can't listen on 203\.0\.113\.7"):
        listen("203.0.113.7", 0)


def test_the_own_machine():
    assert all(map(is_loopback, ["127.0.0.1", "127.1.2.3", "localhost", "::1"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "10.0.0.1", "example.org", ""]))


def test_addresses_of_the_page():
    assert page_address("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert page_address("0.0.0.0", 5) == "http://127.0.0.1:5/"
    assert page_address("::", 5) == page_address("::1", 5) == "http://[::1]:5/"
    assert page_address("localhost", 8000) == "http://localhost:8000/"


def test_the_page_is_a_fixed_list_of_small_files():
    assets = Assets()
    assert {"index.html", "drawing.css"} <= {*assets.names}
    assert {name.rpartition(".")[2] for name in assets.names} <= {"html", "css", "js"}
    assert assets.size == sum(len(assets.get(name).data) for name in assets.names)
    assert assets.size < 1_000_000
    page = assets.get("index.html")
    assert page.media_type == MEDIA_TYPES[".html"] == "text/html; charset=utf-8"
    assert assets.get("main.js") is None or "javascript" in assets.get("main.js").media_type
    for name in ("", ".", "..", "../app.py", "/etc/passwd", "page/index.html", "app.py"):
        assert assets.get(name) is None


def test_a_slow_client_does_not_hold_others_up(model: Path, tmp_path: Path):
    with serving(tmp_path, model, "--output", tmp_path / "out") as server:
        server.wait()
        host, port = server.address.removeprefix("http://").rstrip("/").split(":")
        slow = [socket.create_connection((host, int(port))) for _ in range(50)]
        for one in slow:
            one.sendall(b"POST /annotate HTTP/1.1\r\nHost: ")
        assert server.post("annotate", text=TEXT)["text"] == TEXT
        for one in slow:
            one.close()
