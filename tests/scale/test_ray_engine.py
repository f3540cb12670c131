"""Units on Ray: whatever dies, every document is in an output or in an error file, once.

Ray takes seconds to start, and so does every worker, so each test has many faults at once.
"""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from spacy_perceptron.scale.annotate import Work, run_units
from spacy_perceptron.scale.cluster import connected, has_ray
from spacy_perceptron.scale.plan import Unit
from spacy_perceptron.scale.ray_engine import STORE_BYTES, run_on_ray
from spacy_perceptron.scale.sources import Source

from .faults import FILLS, KILLS, RAISES, WAITS
from .runs import (
    CODE,
    annotate,
    command,
    faulty_pipeline,
    left_over,
    read_errors,
    read_outputs,
    write_lines,
)

pytestmark = [
    pytest.mark.skipif(not has_ray(), reason="needs Ray"),
    # One process of pytest-xdist for all, if it is asked to keep groups together.
    pytest.mark.xdist_group("ray"),
]


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with connected(None, 2, store_bytes=STORE_BYTES) as ray:
        yield ray


@pytest.fixture
def work(tmp_path: Path) -> Work:
    faulty_pipeline().to_disk(tmp_path / "model")
    return Work(str(tmp_path / "model"), batch_size=4, code=CODE)


def unit(path: Path, out: Path) -> Unit:
    return Unit(Source(str(path)), str(out / f"{path.name}.spacy"), 10)


def wait_for(path: Path, process: subprocess.Popen | None = None) -> int:
    """Wait until a document waits; return the process that has it."""
    deadline = time.monotonic() + 90
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.05)
    return int(path.read_text())


def test_every_fault_at_once(ray: Any, work: Work, tmp_path: Path):
    marker = tmp_path / "marker"
    units = []
    expected: Counter[str] = Counter()
    for i, first in enumerate(("fine", f"{RAISES} puns", f"{KILLS} all", f"{WAITS} {marker}")):
        lines = [first if k == 3 else f"line {i} {k}" for k in range(8)]
        expected.update(lines)
        units.append(unit(write_lines(tmp_path / "in" / f"{i}.txt", lines), tmp_path / "out"))
    units.append(unit(tmp_path / "in" / "missing.txt", tmp_path / "out"))
    with ThreadPoolExecutor(1) as pool:
        killing = pool.submit(lambda: os.kill(wait_for(marker), signal.SIGKILL))
        reports = [report for _, report in run_on_ray(units, work, ray=ray, n_workers=2)]
        killing.result()
    assert len(reports) == 5
    outputs = read_outputs(tmp_path / "out")
    errors = read_errors(tmp_path / "out")
    assert outputs + Counter(row["text"] for row in errors if "text" in row) == expected
    assert sorted(row["reason"].split(":")[0] for row in errors) == [
        "FileNotFoundError",
        "The process died twice when it had this document alone in hand.",
        "ValueError",
    ]
    assert sum(report.n_docs for report in reports) == 4 * 8 - 2
    assert left_over(tmp_path / "out") == []


def test_full_disk(ray: Any, work: Work, tmp_path: Path):
    paths = [write_lines(tmp_path / f"{i}.txt", [f"{FILLS} it"]) for i in range(2)]
    with pytest.raises(OSError, match="No space left") as caught:
        list(run_on_ray([unit(path, tmp_path) for path in paths], work, ray=ray, n_workers=1))
    assert caught.value.errno == 28
    assert not list(tmp_path.rglob("*.spacy*"))
    assert left_over(tmp_path) == []


def test_more_workers_than_there_is_room_for(ray: Any, work: Work, tmp_path: Path):
    """Work goes on with those that are there."""
    paths = [write_lines(tmp_path / "in" / f"{i}.txt", [f"line {i}"]) for i in range(5)]
    units = [unit(path, tmp_path / "out") for path in paths]
    summary = run_units(units, lambda left: run_on_ray(left, work, ray=ray, n_workers=5))
    assert (summary.n_units, summary.n_docs, summary.n_words) == (5, 5, 10)
    again = run_units(units, lambda left: run_on_ray(left, work, ray=ray, n_workers=5))
    assert (again.n_units, again.n_skipped) == (0, 5)


def test_no_pipeline(ray: Any, tmp_path: Path):
    path = write_lines(tmp_path / "a.txt", ["line"])
    work = Work(str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match=r"A worker can't be started.[^$]*E050"):
        list(run_on_ray([unit(path, tmp_path)], work, ray=ray, n_workers=1))


def test_driver_killed_and_restarted(work: Work, tmp_path: Path):
    """The command in a process of its own, with a Ray of its own, which goes with it."""
    marker = tmp_path / "marker"
    for i in range(6):
        lines = [f"{WAITS} {marker}" if (i, k) == (4, 2) else f"line {i} {k}" for k in range(4)]
        write_lines(tmp_path / "in" / f"{i}.txt", lines)
    out = tmp_path / "out"
    arguments = (work.pipeline, tmp_path / "in", out, "--workers", 2, "--code", CODE)
    driver = subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True)
    worker = wait_for(marker, driver)
    driver.kill()
    driver.communicate()
    deadline = time.monotonic() + 30
    while is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    done = read_outputs(out)
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.spacy")}
    assert 0 < len(times) < 6
    again = annotate(*arguments)
    assert again.returncode == 0, again.stdout + again.stderr
    assert f"{len(times)} outputs were there already" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in times} == times
    lines = (line for path in (tmp_path / "in").iterdir() for line in path.read_text().split("\n"))
    assert read_outputs(out) == Counter(line for line in lines if line)
    assert set(done) < set(read_outputs(out))
    assert left_over(out) == []


def is_running(process: int) -> bool:
    """Whether a process is there, and not only waits to be buried."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux")
def test_only_this_machine_can_reach_it(ray: Any):
    """All sockets that listen and belong to Ray are bound to 127.0.0.1."""
    ours = set()
    for process in ray_processes():
        for link in Path(f"/proc/{process}/fd").glob("*"):
            try:
                ours.add(os.readlink(link))
            except OSError:
                continue
    addresses = []
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{cells[9]}]" in ours:
                addresses.append(cells[1].split(":")[0])
    assert len(addresses) > 2
    assert set(addresses) <= {"0100007F", "0000000000000000FFFF00000100007F"}


def ray_processes() -> list[int]:
    """This process and all that it has started."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found
