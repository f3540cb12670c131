"""Shards on Ray, workers that are killed included."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spacy.training.initialize import init_nlp

from spacy_perceptron.scale import cluster
from spacy_perceptron.scale.cluster import connected
from spacy_perceptron.scale.training.ray_training import MOST_DEATHS, RayShards, Setup
from spacy_perceptron.scale.training.workers import train_on_workers

from ...components.contract import NAME
from .shards import TAGGER, equal, make_config, make_shards, start_of


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    pytest.importorskip("ray", reason="Ray is not installed")
    with connected(None, 2) as module:
        yield module


class Deadly(RayShards):
    """Kills a worker before some of the calls of a round."""

    def __init__(self, ray: Any, setup: Setup, before: tuple[int, ...] = ()) -> None:
        super().__init__(ray, setup)
        self.before, self.n_calls, self.killed = before, 0, 0

    def _ask(self, call: Any) -> Any:
        self.n_calls = getattr(self, "n_calls", -99) + 1
        if self.n_calls in getattr(self, "before", ()):
            os.kill(self.process_ids()[self.n_calls % 2], signal.SIGKILL)
            self.killed += 1
        return super()._ask(call)


def test_workers_do_what_shards_here_do(ray: Any, sample_folder: Path, tmp_path: Path):
    """Also if they die while they learn, cut, mix or take the weights of the second round."""
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    local = make_shards(nlp, 2)
    local.take(start_of(nlp))
    expected = [local.run(round_) for round_ in range(3)]
    # Calls 1 to 5 take the first weights and run the first round.
    shards = Deadly(ray, Setup(nlp.config.to_str(), nlp.to_bytes(), 2), before=(6, 7, 8, 9))
    shards.take(start_of(nlp))
    for round_, (report, state) in enumerate(expected):
        found, mixed = shards.run(round_)
        assert equal(mixed[NAME], state[NAME])
        assert (found.losses, found.n_steps) == (report.losses, report.n_steps)
    assert shards.killed == 4


def test_errors_of_workers_are_passed_on(ray: Any, sample_folder: Path, tmp_path: Path):
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path, max_epochs=1))
    (tmp_path / "train.spacy").unlink()
    with pytest.raises(ValueError, match=r"train\.spacy"):
        RayShards(ray, Setup(nlp.config.to_str(), nlp.to_bytes(), 2))


def test_what_kills_every_worker_ends_training(ray: Any, sample_folder: Path, tmp_path: Path):
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    shards = RayShards(ray, Setup(nlp.config.to_str(), nlp.to_bytes(), 2))
    error = ray.exceptions.RayActorError()
    shards._ray = type("Dying", (), {"get": _raise(error), "exceptions": ray.exceptions})
    for _ in range(MOST_DEATHS):
        assert not shards._is_done([], 1)
    with pytest.raises(RuntimeError, match="worker of shard 2 died 4 times"):
        shards._is_done([], 1)


def _raise(error: Exception) -> Any:
    def get(refs: Any) -> None:
        raise error

    return staticmethod(get)


def test_without_ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    config = TAGGER.blank().config.copy()
    with pytest.raises(ImportError, match=r"pip install 'spacy-perceptron\[ray\]'"):
        train_on_workers(config, tmp_path, n_workers=2)


def test_a_cluster_that_is_not_there():
    """It is noticed before Ray waits for it."""
    pytest.importorskip("ray", reason="Ray is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        # It does not listen.
        for given in (address, f"ray://{address}", "nowhere.invalid:6379"):
            message = f"Can't connect to the Ray cluster at '{given}'"
            with pytest.raises(ConnectionError, match=message), connected(given, 2):
                raise AssertionError("there is no cluster")
