"""Folds in other processes: they end with their parent, and their errors reach it."""

import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from spacy_perceptron.corpus.jackknife.workers import WorkerDiedError, _receive

from ...real_data import REPOSITORY
from . import sleeper

SECONDS = 30


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=["number", str(i)]) for i in range(6)]
    DocBin(docs=docs).to_disk(tmp_path / "corpus.spacy")
    return tmp_path / "corpus.spacy"


def wait_until(happened: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.05)
    return happened()


def is_running(pid: int) -> bool:
    """Whether a process is there, and is not only waiting for somebody to take note of its end."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(number: signal.Signals, corpus: Path, tmp_path: Path):
    """Only the parent gets the signal."""
    (tmp_path / "temporary").mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-u", "-m", sleeper.__name__, corpus],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test runner in the background may have switched the signal off.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    workers: list[int] = []
    try:
        assert parent.stdout is not None
        workers += [int(parent.stdout.readline()) for _ in range(2)]
        assert all(is_running(pid) for pid in workers)
        assert list((tmp_path / "temporary").iterdir())
        parent.send_signal(number)
        assert parent.wait(SECONDS) != 0
        assert wait_until(lambda: not any(is_running(pid) for pid in workers))
        assert not list((tmp_path / "temporary").iterdir())
    finally:
        for pid in [parent.pid, *workers]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        parent.communicate()


def test_an_error_reaches_the_parent(corpus: Path):
    with pytest.raises(LookupError, match="a word is missing") as caught:
        sleeper.run(corpus, "fail")
    # What happened where.
    assert "in the process of fold" in str(caught.value.__cause__)
    assert "sleeper.py" in str(caught.value.__cause__)


def test_a_worker_that_dies_is_noticed(corpus: Path):
    with pytest.raises(WorkerDiedError, match=r"trained fold \d of 3 was killed \(exit code 3\)"):
        sleeper.run(corpus, "exit")


@pytest.mark.skipif(os.name != "posix", reason="writes to the file of a pipe")
def test_a_worker_that_dies_while_it_sends_is_noticed():
    reader, writer = Pipe(duplex=False)
    # 100 bytes are announced.
    os.write(writer.fileno(), struct.pack("!i", 100) + b"half")
    writer.close()
    process: Any = SimpleNamespace(join=lambda: None, exitcode=-9)
    with reader, pytest.raises(WorkerDiedError, match=r"fold 2 of 3 was killed \(exit code -9\)"):
        _receive(reader, process, 1, 3)
