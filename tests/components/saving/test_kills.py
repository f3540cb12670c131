"""A kill at any moment of saving leaves the old pipeline, the new one, or one that is refused."""

import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language

import spacy_perceptron
from spacy_perceptron import save_pipeline

from .pipelines import NAMES, answers, train

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs processes that can be forked"
)
# How many times to kill; `SPACY_PERCEPTRON_KILLS=50` for a long run.
N_KILLS = int(os.environ.get("SPACY_PERCEPTRON_KILLS", "8"))
PACKAGE = Path(spacy_perceptron.__file__).parent
# What changes a folder, as Python's audit hooks call it.
EVENTS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "ctypes.dlsym"}
Save = Callable[[Language, Path], None]


def to_disk(nlp: Language, path: Path) -> None:
    nlp.to_disk(path)


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Language]:
    """An old pipeline on disk and a new one."""
    path = tmp_path_factory.mktemp("old") / "model"
    train("train").to_disk(path)
    return path, train("dev")


def in_child(act: Callable[[], Any], wait: Callable[[int], None] = lambda child: None) -> int:
    """Let a forked process do something, and return its exit status."""
    child = os.fork()
    if not child:
        status = 1
        try:
            act()
            status = 0
        finally:
            os._exit(status)
    wait(child)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_at(event: int) -> None:
    """Kill this process before its n-th change of files."""
    seen = 0

    def watch(name: str, args: tuple) -> None:
        nonlocal seen
        if name not in EVENTS or (name == "open" and not is_writing(args)):
            return
        seen += 1
        if seen == event:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def save_and_die(event: int, save: Save, nlp: Language, path: Path) -> None:
    kill_at(event)
    save(nlp, path)


def is_writing(args: tuple) -> bool:
    return bool(args[2] & (os.O_WRONLY | os.O_RDWR))


def judge(path: Path, old: Any, new: Any) -> str:
    """What became of a pipeline."""
    try:
        found = answers(spacy.load(path))
    except Exception as error:
        message = str(error).splitlines()[0]
        if not is_ours(error):
            return f"refused by spaCy for its own files: {message}"
        assert message.startswith("Can't load '")
        return f"refused: {message}"
    return {repr(old): "old", repr(new): "new"}.get(repr(found), "mixed")


def is_ours(error: Exception) -> bool:
    """Whether an error comes from a component of this package."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(PACKAGE in Path(frame.filename).parents for frame in frames)


def count_events(save: Save, nlp: Language, path: Path) -> int:
    """How many changes of files a save makes."""
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        if in_child(partial(save_and_die, middle, save, nlp, path)) == 0:
            high = middle
        else:
            low = middle + 1
    return low - 1


@pytest.mark.parametrize("save", [to_disk, save_pipeline])
def test_killed_before_a_change(pipelines: tuple[Path, Language], save: Save, tmp_path: Path):
    source, nlp = pipelines
    path = tmp_path / "model"
    shutil.copytree(source, path)
    n_events = count_events(save, nlp, path)
    old, new = answers(spacy.load(source)), answers(nlp)
    assert n_events > 3 * len(NAMES)
    verdicts: Counter[str] = Counter()
    for i in range(N_KILLS):
        shutil.rmtree(path)
        shutil.copytree(source, path)
        event = 1 + i * (n_events - 1) // max(N_KILLS - 1, 1)
        assert in_child(partial(save_and_die, event, save, nlp, path)) == -signal.SIGKILL
        verdicts[judge(path, old, new)] += 1
    check(verdicts, save)
    # What a kill has left behind does not stand in the way.
    save(nlp, path)
    assert judge(path, old, new) == "new"
    assert {p.name for p in path.parent.iterdir()} == {"model"}


@pytest.mark.parametrize("save", [to_disk, save_pipeline])
def test_killed_at_some_time(pipelines: tuple[Path, Language], save: Save, tmp_path: Path):
    source, nlp = pipelines
    path = tmp_path / "model"
    rng = random.Random(13)
    old, new = answers(spacy.load(source)), answers(nlp)
    before = spacy.load(source)
    verdicts: Counter[str] = Counter()

    def save_for_ever() -> None:
        while True:
            save(nlp, path)
            save(before, path)

    def wait(child: int) -> None:
        time.sleep(rng.uniform(0, 0.3))
        os.kill(child, signal.SIGKILL)

    for _ in range(N_KILLS):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(source, path)
        assert in_child(save_for_ever, wait) == -signal.SIGKILL
        verdicts[judge(path, old, new)] += 1
    check(verdicts, save)


def check(verdicts: Counter[str], save: Save) -> None:
    print(f"\n{save.__name__}:")
    for verdict, n in sorted(verdicts.items()):
        print(f"{n:5} {verdict}")
    assert not verdicts["mixed"]
    if save is save_pipeline:
        assert verdicts.keys() <= {"old", "new"}
